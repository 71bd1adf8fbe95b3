import Type from 'typebox'
import { Count, nullable, NullableText, reply, Text } from 'pantry/handler'
import { paths } from '../../catalogue/links.ts'
import { defineHandler } from '../../define.ts'
import { Format } from '../../play/deck/legality.ts'

const Tally = Type.Array(Type.Object({ value: Text, cards: Count }))
const Nothing = Type.Array(Type.Never(), { maxItems: 0 })

/** The card pool, counted, and the formats as of their days. Results of tournaments have no source here, so there are none. */
export default defineHandler({
  corpora: { 'play-formats': Format },
  reply: Type.Object({
    '@kind': Type.Literal('meta_snapshot'),
    game: Type.Literal('op'),
    as_of: NullableText,
    data_window: Type.Object({ first_release: NullableText, last_release: NullableText, imported_at: NullableText }),
    latest_set: nullable(Type.Object({ code: Text, name: NullableText, released_on: Text, universal: Text })),
    format_context: Type.Array(Type.Object({
      format: Text, name: Text, as_of: Text, minimum_block: nullable(Count), banned_count: Count, banned_pair_count: Count, unsure: Type.Boolean(), note: Text
    })),
    card_pool: Type.Object({
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
  async handle ({ corpora, pathTo }, { cardPool }) {
    const { composition, latest_set: latest, first_release: first, as_of: importedAt } = await cardPool.read()
    return reply({
      '@kind': 'meta_snapshot',
      game: 'op',
      as_of: importedAt?.slice(0, 10) ?? null,
      data_window: { first_release: first, last_release: latest?.released_on ?? null, imported_at: importedAt },
      latest_set: latest === null ? null : { ...latest, universal: paths.set('op', latest.code) },
      format_context: corpora['play-formats'].entries.map(({ id, name, as_of: asOf, minimum_block: block, banned, banned_pairs: pairs, unsure, note }) =>
        ({ format: id, name, as_of: asOf, minimum_block: block, banned_count: banned.length, banned_pair_count: pairs.length, unsure, note })),
      card_pool: composition,
      tiers: [],
      recent_results: [],
      official_circuit: [],
      community_circuit: [],
      empty_because: 'Which decks win is not in any registered source. A list of tiers without results behind it would be an opinion, so there is none.',
      staleness_note: 'The pool is counted from the last import; the lists of formats carry days of their own. A card printed since then is missing here.',
      _links: { canonical: pathTo('play/meta'), deck_validate: pathTo('play/deck/validate.post'), siblings: pathTo('play/index'), game: pathTo('universal/game', { token: 'op' }) }
    }, importedAt === null ? {} : { asOf: importedAt })
  }
})
