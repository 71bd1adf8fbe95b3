import { Count, nullable, NullableText, reply, Text, Texts, Type } from 'pantry/handler'
import { fromSources, paths } from '../../cards/documents/parts.ts'
import { canonicalCode } from '../../cards/sku.ts'
import { defineHandler } from '../../define.ts'
import { windowOf } from '../../play/card-pool.ts'
import { DeckFormat } from '../../play/deck-legality.ts'
import { Starter } from '../../play/deck-rules.ts'
import { formatTables } from '../../play/meta.ts'

const Tally = Type.Array(Type.Object({ value: Text, cards: Count }))
const Counted = {
  rule: Type.String({ description: 'How it is counted.' }),
  input_count: Type.Integer({ minimum: 0, description: 'How many cards it is counted of.' })
}
const Nothing = Type.Array(Type.Never(), { maxItems: 0 })

/**
 * Returns what can be counted of the game. There is no source for tournament results, so the lists of tiers, results
 * and circuits are empty.
 */
export default defineHandler({
  corpora: { 'play-formats': DeckFormat, 'play-decks': Starter },
  reply: Type.Object({
    '@kind': Type.Literal('meta_snapshot'),
    game: Type.Literal('op'),
    as_of: NullableText,
    data_window: Type.Object({
      from: NullableText,
      to: NullableText,
      basis: Text,
      imported_at: NullableText,
      first_release: NullableText,
      last_release: NullableText,
      dated_sets: Count,
      undated_sets: Count,
      numbered_boosters: nullable(Type.Object({ first: Text, last: Text, count: Count })),
      blocks: nullable(Type.Object({ first: Count, last: Count }))
    }),
    latest_set: nullable(
      Type.Object({
        code: Text,
        printed_code: Text,
        name: NullableText,
        released_on: Text,
        basis: Text,
        universal: Text
      })
    ),
    format_context: Type.Array(
      Type.Object({
        format: Text,
        name: Text,
        as_of: Text,
        minimum_block: nullable(Count),
        banned_count: Count,
        banned_pair_count: Count,
        unsure: Type.Boolean(),
        note: Text,
        legal_pool: Type.Object({ cards: Count, leaders: Count }),
        tables: Type.Array(
          Type.Object({
            id: Text,
            title: Text,
            ...Counted,
            without_value: Type.Integer({
              minimum: 0,
              description: 'How many of these cards are in no row: no source states a value of them, or they have none.'
            }),
            rows: Tally
          })
        ),
        archetypes: Type.Array(
          Type.Object({
            deck: Text,
            title: Text,
            leader: Text,
            leader_colours: nullable(Texts),
            legal: Type.Boolean(),
            violation_codes: Texts,
            ...Counted,
            categories: Tally,
            costs: Tally,
            counters: Tally,
            keywords: Tally
          })
        )
      })
    ),
    card_pool: Type.Object({
      ...Counted,
      cards: Count,
      leaders: Count,
      by_category: Tally,
      by_colour: Tally,
      leaders_by_colours: Tally,
      leaders_by_life: Tally,
      cost_curve: Tally,
      counters: Tally,
      with_keyword: Tally
    }),
    tiers: Nothing,
    recent_results: Nothing,
    official_circuit: Nothing,
    community_circuit: Nothing,
    empty_because: Text,
    staleness_note: Text,
    _links: Type.Record(Text, Text)
  }),
  version: ({ kept }) => kept.version(),
  async handle({ corpora, pathTo }, { cardPool, catalogue }) {
    const [pool, game] = await Promise.all([cardPool.read(), catalogue.game('op')])
    const { composition, latest_set: latest, as_of: importedAt } = pool
    const computed = formatTables(pool.cards, corpora['play-formats'].entries, corpora['play-decks'].entries)
    return reply(
      {
        '@kind': 'meta_snapshot',
        game: 'op',
        as_of: importedAt?.slice(0, 10) ?? null,
        data_window: windowOf(pool),
        latest_set:
          latest === null
            ? null
            : {
                ...latest,
                code: canonicalCode(latest.code),
                printed_code: latest.code,
                basis:
                  'The set with the latest day of release that a source states. Sets without a day are not compared; `data_window` counts them.',
                universal: paths.set('op', latest.code)
              },
        format_context: computed.map(
          ({
            format: { id, name, as_of: asOf, minimum_block: block, banned, banned_pairs: pairs, unsure, note },
            ...tables
          }) => ({
            format: id,
            name,
            as_of: asOf,
            minimum_block: block,
            banned_count: banned.length,
            banned_pair_count: pairs.length,
            unsure,
            note,
            ...tables
          })
        ),
        card_pool: {
          rule: 'Every card number once, whatever its printings and languages, without regard to a format.',
          input_count: composition.cards,
          ...composition
        },
        tiers: [],
        recent_results: [],
        official_circuit: [],
        community_circuit: [],
        empty_because:
          'Which decks win is not in any registered source. A list of tiers without results behind it would be an opinion, so there is none.',
        staleness_note:
          'The pool is counted from the last import; the lists of formats carry days of their own. A card printed since then is missing here.',
        _links: {
          canonical: pathTo('play/meta'),
          deck_validate: pathTo('play/deck/validate.post'),
          formats: pathTo('play/formats'),
          starters: pathTo('play/starters'),
          siblings: pathTo('play/index'),
          game: pathTo('universal/game', { token: 'op' })
        }
      },
      { ...fromSources(['self', ...(game?.sources ?? [])]), ...(importedAt === null ? {} : { asOf: importedAt }) }
    )
  }
})
