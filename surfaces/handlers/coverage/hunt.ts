import { Type, closed, Count, Moment, nullable, Path, reply, Text, Texts } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { boardOf } from '../../coverage/find-candidates.ts'
import { Candidate, candidateKinds, fingerprintBasis, order, rules } from '../../coverage/candidate.ts'
import { GameContract, gameContract, PlayVia, playVia } from '../../coverage/hunt/rules.ts'
import { GameFilter, tokenOf } from '../../coverage/current-and-past.ts'

const largest = 24
const usual = 12

/** Returns the board of the Coverage Hunt: questions that the counts raise. Reading it opens no case. */
export default defineHandler({
  query: Type.Object({
    game: Type.Optional(GameFilter),
    kind: Type.Optional(Type.Enum([...candidateKinds], { description: 'Only candidates of one kind.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: largest, default: usual, description: 'How many candidates at most.' })
    )
  }),
  reply: closed({
    '@kind': Type.Literal('coverage-hunt-board'),
    board: closed({
      candidates: Type.Array(Candidate, { maxItems: largest }),
      available_candidate_count: Count,
      available_by_kind: Type.Record(Text, Count),
      returned_candidate_count: Count,
      as_of: nullable(Moment),
      walking_past_is_honored: Type.Literal(true)
    }),
    filter: closed({ game: nullable(Text), kind: nullable(Text), limit: Count }),
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
  version: async ({ kept }, now) => await kept.versionOfMinute(now),
  async handle({ query, now, pathTo }, services) {
    const game = tokenOf(services.games.all, query.game)
    const kind = query.kind ?? null
    const limit = query.limit ?? usual
    const { byKind, candidates, asOf } = await boardOf(services, { game, kind, now, pathTo })
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
      asOf === null ? {} : { asOf }
    )
  }
})
