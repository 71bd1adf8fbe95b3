import { closed, Count, nullable, reply, Text, Texts, Type } from 'pantry/handler'
import { candidateKinds } from '../../../coverage/candidate.ts'
import { GameFilter, tokenOf } from '../../../coverage/current-and-past.ts'
import { boardOf } from '../../../coverage/find-candidates.ts'
import { agentOf } from '../../../coverage/hunt/cases.ts'
import { defineHandler } from '../../../define.ts'

const InBrief = closed({
  candidate_id: Text,
  why_candidate: Text,
  question: Text,
  where_to_look: Texts,
  target: Type.Record(Text, Text),
  metrics: Type.Record(Text, Type.Number()),
  case_id: nullable(Text),
  status: Text,
  next_role: nullable(Text)
})

/** Returns the board for agents: the candidates that wait, with the role that each needs next. */
export default defineHandler({
  query: Type.Object({
    game: Type.Optional(GameFilter),
    kind: Type.Optional(Type.Enum([...candidateKinds])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 12 }))
  }),
  reply: closed({ candidates: Type.Array(InBrief), available: Count }),
  async handle({ query: { game, kind, limit = 12 }, caller, now, pathTo }, services) {
    const { candidates } = await boardOf(services, {
      game: tokenOf(services.games.all, game),
      kind: kind ?? null,
      now,
      pathTo
    })
    const shown = candidates.slice(0, limit)
    const cases = await services.huntCases.byCandidate(
      agentOf(caller),
      shown.map(({ candidate: { id } }) => id)
    )
    return reply({
      candidates: shown.map(
        ({ candidate: { id, why_candidate: why, target, metrics }, question, where_to_look: look }) => {
          const of = cases.get(id)
          const isOpen = of === undefined || of.status === 'resting'
          return {
            candidate_id: id,
            why_candidate: why,
            question,
            where_to_look: look.map(({ what, url }) => (url === null ? what : `${what}: ${url}`)),
            target,
            metrics,
            case_id: isOpen ? null : of.case_id,
            status: isOpen ? 'open' : of.status,
            next_role: isOpen ? 'scout' : of.next_role
          }
        }
      ),
      available: candidates.length
    })
  }
})
