import { Type, closed, nullable, NullableText, Text, type JsonObject } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { KeptFacts } from '../cards/kept.ts'
import { naturalOrder } from '../cards/numbers.ts'
import { playCard, type PlayCard } from './deck-rules.ts'
import { ascending, frequent, type PoolCard, type ValueTally } from './meta.ts'

/** Counts of a card pool. Cards are counted by number: printings and languages count once. */
type Composition = Readonly<{
  cards: number
  leaders: number
  by_category: ValueTally
  /** A card of two colours is counted under both. */
  by_colour: ValueTally
  leaders_by_colours: ValueTally
  leaders_by_life: ValueTally
  /** Characters, Events and Stages by cost, ascending. */
  cost_curve: ValueTally
  counters: ValueTally
  with_keyword: ValueTally
}>

export function compositionOf(cards: readonly PlayCard[]): Composition {
  const leaders = cards.filter(({ category }) => category === 'leader')
  const others = cards.filter(({ category }) => category !== 'leader')
  return {
    cards: cards.length,
    leaders: leaders.length,
    by_category: frequent(cards.flatMap(({ category }) => category ?? [])),
    by_colour: frequent(cards.flatMap(({ colours }) => colours ?? [])),
    leaders_by_colours: frequent(
      leaders.flatMap(({ colours }) => (colours === null ? [] : [[...colours].sort().join('/')]))
    ),
    leaders_by_life: ascending(leaders.map(({ life }) => life)),
    cost_curve: ascending(others.map(({ cost }) => cost)),
    counters: ascending(others.map(({ counter }) => counter)),
    with_keyword: frequent(cards.flatMap(({ keywords }) => keywords))
  }
}

/** The card pool of the One Piece Card Game in the catalogue. */
type CardPool = Readonly<{
  cards: readonly PoolCard[]
  composition: Composition
  /** The dated set released last; null when no set is dated. */
  latest_set: Readonly<{ code: string; name: string | null; released_on: string }> | null
  /** The first known release date. */
  first_release: string | null
  sets: Readonly<{ dated: number; undated: number }>
  /** The first and last numbered booster in the catalogue, and their number; null when there is none. */
  boosters: Readonly<{ first: string; last: string; count: number }> | null
  /** The first and last block of the cards. */
  blocks: Readonly<{ first: number; last: number }> | null
  /** The ends of the first and the last successful import of any source (ISO 8601). */
  first_import: string | null
  as_of: string | null
}>

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

/**
 * Computes the card pool once per version of the catalogue, also for concurrent callers. The queries have no time
 * limit. Failures throw `SOURCE_UNAVAILABLE`.
 */
export class CardPoolReader {
  readonly #bulk: Database['bulk']
  readonly #rows: Database['rows']
  readonly #kept: KeptFacts

  constructor({ bulk, rows }: Pick<Database, 'bulk' | 'rows'>, kept: KeptFacts) {
    this.#bulk = bulk
    this.#rows = rows
    this.#kept = kept
  }

  async read(): Promise<CardPool> {
    return await this.#kept.of('card pool', () => this.#count())
  }

  async #count(): Promise<CardPool> {
    const [rows, sets, [imports]] = await Promise.all([
      this.#rows(
        Card,
        this.#bulk.raw(
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
      this.#rows(
        PoolSet,
        this.#bulk('sets')
          .select('code', 'name', 'released_on')
          .where({ game })
          .orderByRaw('released_on desc nulls last, code_key collate "C"')
      ),
      this.#rows(
        Imports,
        this.#bulk.raw(
          "select min(finished_at) as first_import, max(finished_at) as as_of from runs where status = 'succeeded'"
        )
      )
    ])
    const cards = rows.map((row): PoolCard => ({
      ...playCard(row),
      blocks: row.blocks ?? [],
      rarity: row.rarity,
      set: row.code,
      types: typesOf(row.attributes ?? {})
    }))
    const dated = sets.flatMap(({ released_on: on, ...set }) => (on === null ? [] : [{ ...set, released_on: on }]))
    const boosters = [...new Set(cards.map(({ set }) => set).filter(code => /^op[0-9]+$/.test(code)))].sort(
      naturalOrder
    )
    const blocks = cards.flatMap(card => card.blocks)
    return {
      cards,
      composition: compositionOf(cards),
      latest_set: dated[0] ?? null,
      first_release: dated.at(-1)?.released_on ?? null,
      sets: { dated: dated.length, undated: sets.length - dated.length },
      boosters:
        boosters.length === 0
          ? null
          : { first: boosters[0] ?? '', last: boosters.at(-1) ?? '', count: boosters.length },
      blocks: blocks.length === 0 ? null : { first: Math.min(...blocks), last: Math.max(...blocks) },
      first_import: imports?.first_import ?? null,
      as_of: imports?.as_of ?? null
    }
  }
}

const day = (time: string | null): string | null => time?.slice(0, 10) ?? null

/**
 * Returns the period that the data covers: from the first dated release (or the first import, if no source dates a set)
 * to the last import.
 */
export function windowOf({
  first_release: first,
  latest_set: latest,
  first_import: begun,
  as_of: asOf,
  sets,
  boosters,
  blocks
}: CardPool) {
  return {
    from: first ?? day(begun),
    to: day(asOf),
    basis:
      first === null
        ? 'From the first import to the last: no imported source dates the sets of this game. Which sets and blocks the cards are of says how far they reach.'
        : 'From the first release of a set that a source dates to the last import.',
    imported_at: asOf,
    first_release: first,
    last_release: latest?.released_on ?? null,
    dated_sets: sets.dated,
    undated_sets: sets.undated,
    numbered_boosters: boosters,
    blocks
  }
}
