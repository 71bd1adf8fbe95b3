import { closed, Count, Moment, nullable, NullableText, Path, reply, Text, Texts, Type } from 'pantry/handler'
import { fromSources } from '../../cards/documents/parts.ts'
import { Candidate, candidateKinds, fingerprintBasis, order, rules } from '../../coverage/candidate.ts'
import { GameFilter, tokenOf } from '../../coverage/current-and-past.ts'
import { boardOf } from '../../coverage/find-candidates.ts'
import { agentOf, Case } from '../../coverage/hunt/cases.ts'
import { GameContract, gameContract, PlayVia, playVia, statuses, TurnRequest } from '../../coverage/hunt/rules.ts'
import { defineHandler } from '../../define.ts'

const maxLimit = 24
const usual = 12

/** Returns the board of candidates. Reading it opens no case. */
export default defineHandler({
  query: Type.Object({
    game: Type.Optional(GameFilter),
    kind: Type.Optional(Type.Enum([...candidateKinds], { description: 'Only candidates of one kind.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, default: usual, description: 'How many candidates at most.' })
    )
  }),
  reply: closed({
    '@kind': Type.Literal('coverage-hunt-board'),
    board: closed({
      candidates: Type.Array(Candidate, { maxItems: maxLimit }),
      available_candidate_count: Count,
      available_by_kind: Type.Record(Text, Count),
      returned_candidate_count: Count,
      as_of: nullable(Moment),
      walking_past_is_honored: Type.Literal(true)
    }),
    filter: closed({ game: NullableText, kind: NullableText, limit: Count }),
    game_contract: GameContract,
    play_via: PlayVia,
    methodology: closed({
      rules: Type.Record(Text, Text),
      fingerprint_basis: Texts,
      order: Text,
      observed_coverage: Path,
      source_registry: Path,
      agent_tool_catalog: Path
    })
  }),
  version: ({ kept }, now) => kept.versionOfMinute(now),
  async handle({ query: { game: named, kind = null, limit = usual }, now, pathTo }, services) {
    const game = tokenOf(services.games.all, named)
    const { byKind, candidates, sources, asOf } = await boardOf(services, { game, kind, now, pathTo })
    const shown = candidates.slice(0, limit)
    return reply(
      {
        '@kind': 'coverage-hunt-board',
        board: {
          candidates: shown,
          available_candidate_count: candidates.length,
          available_by_kind: byKind,
          returned_candidate_count: shown.length,
          as_of: asOf,
          walking_past_is_honored: true
        },
        filter: { game, kind, limit },
        game_contract: gameContract,
        play_via: playVia(pathTo('agents/mcp.post')),
        methodology: {
          rules,
          fingerprint_basis: fingerprintBasis,
          order,
          observed_coverage: pathTo('coverage'),
          source_registry: pathTo('sources/registry'),
          agent_tool_catalog: pathTo('tools')
        }
      },
      { ...fromSources(['self', ...sources]), ...(asOf === null ? {} : { asOf }) }
    )
  }
})

/** Takes a turn: a scout opens a case, a checker and a mirror continue it. Returns the updated case. */
export const turnsPost = defineHandler({
  body: { schema: TurnRequest, limitBytes: 32_768 },
  reply: Case,
  handle: async ({ body, caller, now, pathTo }, services) =>
    reply(
      await services.huntCases.contribute(agentOf(caller), body, async wanted => {
        const { candidates } = await boardOf(services, { game: null, kind: null, now, pathTo })
        return candidates.find(({ candidate: { id } }) => id === wanted)
      })
    )
})

const CandidateInBrief = closed({
  candidate_id: Text,
  why_candidate: Text,
  question: Text,
  where_to_look: Texts,
  target: Type.Record(Text, Text),
  metrics: Type.Record(Text, Type.Number()),
  case_id: NullableText,
  status: Text,
  next_role: NullableText
})

/** The board for agents: candidates in brief, with the state of their newest case and its next role, if any. */
export const board = defineHandler({
  query: Type.Object({
    game: Type.Optional(GameFilter),
    kind: Type.Optional(Type.Enum([...candidateKinds], { description: 'Only candidates of one kind.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, default: usual, description: 'How many candidates at most.' })
    )
  }),
  reply: closed({ candidates: Type.Array(CandidateInBrief), available: Count }),
  async handle({ query: { game, kind = null, limit = usual }, caller, now, pathTo }, services) {
    const { candidates } = await boardOf(services, { game: tokenOf(services.games.all, game), kind, now, pathTo })
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

export const cases = defineHandler({
  query: Type.Object({
    status: Type.Optional(Type.Enum([...statuses], { description: 'Only cases in one state.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'How many cases at most.' }))
  }),
  reply: closed({ cases: Type.Array(Case) }),
  handle: async ({ query, caller }, { huntCases }) =>
    reply({ cases: [...(await huntCases.of(agentOf(caller), query))] })
})
