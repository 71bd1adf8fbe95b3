import { Type, closed, nullable, NullableText, Text, type JsonObject } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { CatalogueCache } from '../cards/kept.ts'
import { naturalOrder } from '../cards/numbers.ts'
import { playCard, type PlayCard } from './deck-rules.ts'
import { ascending, colourPair, frequent, type PoolCard } from './meta.ts'

/** Counts the given cards, of which there is one for each card number; a card of two colours counts under both. */
export function compositionOf(cards: readonly PlayCard[]) {
  const leaders = cards.filter(({ category }) => category === 'leader')
  const others = cards.filter(({ category }) => category !== 'leader')
  return {
    cards: cards.length,
    leaders: leaders.length,
    by_category: frequent(cards.flatMap(({ category }) => category ?? [])),
    by_colour: frequent(cards.flatMap(({ colours }) => colours ?? [])),
    leaders_by_colours: frequent(leaders.flatMap(card => colourPair(card) ?? [])),
    leaders_by_life: ascending(leaders.map(({ life }) => life)),
    cost_curve: ascending(others.map(({ cost }) => cost)),
    counters: ascending(others.map(({ counter }) => counter)),
    with_keyword: frequent(cards.flatMap(({ keywords }) => keywords))
  }
}

const Imports = closed({ first_import: NullableText, as_of: NullableText })
const Card = closed({
  card_number: Text,
  name: NullableText,
  attributes: nullable(Type.Unsafe<JsonObject>({ type: 'object' })),
  rarity: NullableText,
  code: Text,
  blocks: nullable(Type.Array(Type.Integer()))
})
const PoolSet = closed({ code: Text, name: NullableText, released_on: NullableText })

const game = 'op'

const typesOf = ({ types }: JsonObject): readonly string[] =>
  Array.isArray(types) ? types.filter(type => typeof type === 'string') : []

/** Reads the card pool of the One Piece Card Game in the catalogue. The queries have no time limit. */
async function readPool({ bulk, rows }: Pick<Database, 'bulk' | 'rows'>) {
  const [numbers, sets, [imports]] = await Promise.all([
    rows(
      Card,
      bulk.raw(
        `
      select distinct on (c.card_number) c.card_number, c.name, c.attributes, c.rarity, s.code_key as code, b.blocks
      from cards c join sets s on s.id = c.set_id left join (
        select card_number, array_agg(distinct (attributes ->> 'block')::int order by (attributes ->> 'block')::int) as blocks
        from cards where game = ? and attributes ->> 'block' ~ '^[0-9]{1,3}$' group by 1
      ) b using (card_number)
      where c.game = ? order by c.card_number, c.variant <> '', c.lang, c.sku`,
        [game, game]
      )
    ),
    rows(
      PoolSet,
      bulk('sets')
        .select('code', 'name', 'released_on')
        .where({ game })
        .orderByRaw('released_on desc nulls last, code_key collate "C"')
    ),
    rows(
      Imports,
      bulk.raw(
        "select min(finished_at) as first_import, max(finished_at) as as_of from runs where status = 'succeeded'"
      )
    )
  ])
  const cards = numbers.map((row): PoolCard => ({
    ...playCard(row),
    blocks: row.blocks ?? [],
    rarity: row.rarity,
    set: row.code,
    types: typesOf(row.attributes ?? {})
  }))
  const dated = sets.flatMap(({ released_on: on, ...set }) => (on === null ? [] : [{ ...set, released_on: on }]))
  const boosters = [...new Set(cards.map(({ set }) => set).filter(code => /^op[0-9]+$/.test(code)))].sort(naturalOrder)
  const blocks = cards.flatMap(card => card.blocks)
  return {
    cards,
    composition: compositionOf(cards),
    latest_set: dated[0] ?? null,
    first_release: dated.at(-1)?.released_on ?? null,
    sets: { dated: dated.length, undated: sets.length - dated.length },
    boosters:
      boosters.length === 0 ? null : { first: boosters[0] ?? '', last: boosters.at(-1) ?? '', count: boosters.length },
    blocks: blocks.length === 0 ? null : { first: Math.min(...blocks), last: Math.max(...blocks) },
    first_import: imports?.first_import ?? null,
    as_of: imports?.as_of ?? null
  }
}
type CardPool = Awaited<ReturnType<typeof readPool>>

/**
 * Creates a reader that computes the card pool once per version of the catalogue, also for concurrent callers. Database
 * failures throw `SOURCE_UNAVAILABLE`.
 */
export const createCardPool = (database: Database, kept: CatalogueCache) => ({
  read: async (): Promise<CardPool> => await kept.of('card pool', () => readPool(database))
})

const day = (time: string | null): string | null => time?.slice(0, 10) ?? null

/** Returns the period that the data covers: from the first dated release, or the first import, to the last import. */
export const windowOf = (pool: CardPool) => ({
  from: pool.first_release ?? day(pool.first_import),
  to: day(pool.as_of),
  basis:
    pool.first_release === null
      ? 'From the first import to the last: no imported source dates the sets of this game. Which sets and blocks the cards are of says how far they reach.'
      : 'From the first release of a set that a source dates to the last import.',
  imported_at: pool.as_of,
  first_release: pool.first_release,
  last_release: pool.latest_set?.released_on ?? null,
  dated_sets: pool.sets.dated,
  undated_sets: pool.sets.undated,
  numbered_boosters: pool.boosters,
  blocks: pool.blocks
})
