import { closed, Count, nullable, reply, Text, Type } from 'pantry/handler'
import { boardOf } from '../../../coverage/board.ts'
import { candidateKinds } from '../../../coverage/candidate.ts'
import { GameFilter } from '../../../coverage/filters.ts'
import { tokenOf } from '../../../coverage/game-names.ts'
import { agentOf } from '../../../coverage/hunt/agent.ts'
import { defineHandler } from '../../../define.ts'

const InBrief = closed({
  candidate_id: Text, why_candidate: Text, target: Type.Record(Text, Text), metrics: Type.Record(Text, Type.Number()),
  case_id: nullable(Text), status: Text, next_role: nullable(Text)
})

/** The board for agents: what waits, and for which role. */
export default defineHandler({
  query: Type.Object({
    game: Type.Optional(GameFilter),
    kind: Type.Optional(Type.Enum([...candidateKinds])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 12 }))
  }),
  reply: closed({ candidates: Type.Array(InBrief), available: Count }),
  async handle ({ query: { game, kind, limit = 12 }, caller, now }, services) {
    const [{ candidates }, cases] = await Promise.all([
      boardOf(services, { game: tokenOf(services.games.all, game), kind: kind ?? null, now }), services.huntCases.byCandidate(agentOf(caller))
    ])
    return reply({
      candidates: candidates.slice(0, limit).map(({ candidate: { id, why_candidate: why, target, metrics } }) => {
        const of = cases.get(id)
        const isOpen = of === undefined || of.status === 'resting'
        return {
          candidate_id: id, why_candidate: why, target, metrics,
          case_id: isOpen ? null : of.case_id, status: isOpen ? 'open' : of.status, next_role: isOpen ? 'scout' : of.next_role
        }
      }),
      available: candidates.length
    })
  }
})
