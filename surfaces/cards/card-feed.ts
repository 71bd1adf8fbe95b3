import { Count, invalid, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'

/** What happened: to a set with all the cards that it came with, or to one card. */
export const feedKinds = ['set-first-seen', 'first-seen', 'changed', 'rewritten', 'moved', 'withdrawn'] as const

/** Days for which the feed goes back. */
export const feedDays = 90

/**
 * `at`: the time in microseconds (ISO 8601). `cards`: how many of the cards that came with a set are held now.
 * `moved_to`: the SKU that a card has since. `place`: orders the entries of one time.
 */
const Row = Type.Object({
  at: Text,
  kind: Type.Enum([...feedKinds]),
  set_code: nullable(Text),
  sku: nullable(Text),
  cards: nullable(Count),
  moved_to: nullable(Text),
  sources: Texts,
  place: Text
})
type FeedRow = DataOf<typeof Row>

/** A place in the feed: the entry at it was the last one that a reader has. */
type FeedPlace = Readonly<Pick<FeedRow, 'at' | 'place'>>

export const cursorOf = ({ at, place }: FeedPlace): string => Buffer.from(`${at} ${place}`).toString('base64url')

/** Returns the place of a cursor. Throws for a text that this feed did not give. */
export function placeOf(cursor: string): FeedPlace {
  const [, at = '', place = ''] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) ([abc]\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (place === '' || Number.isNaN(Date.parse(at)) || cursorOf({ at, place }) !== cursor)
    throw invalid('after', '`after` is none that this feed gave: take the one of `next` or `resume`, or leave it out.')
  return { at, place }
}

type FeedQuery = Readonly<{
  /** The token of the game. */
  game: string
  /** The code of the set in lower case, and as it is in SKUs. */
  set?: Readonly<{ code: string; part: string }> | undefined
  kind?: (typeof feedKinds)[number] | undefined
  /** The time (ISO 8601) from which on entries are wanted. */
  from: string
  after?: FeedPlace | undefined
  most: number
}>

/**
 * Reads changes of a game's cards, the oldest first. The cards that came with a set are one entry, so that a first
 * import does not list them.
 */
export async function readFeed(
  { reading: knex, rows }: Pick<Database, 'reading' | 'rows'>,
  { game, set, kind, from, after, most }: FeedQuery
): Promise<readonly FeedRow[]> {
  const [code, part] = [set?.code ?? null, set?.part ?? null]
  return await rows(
    Row,
    knex.raw(
      `
      with entries as (
        select s.first_seen_at as at, 'set-first-seen' as kind, s.code as set_code, cast(null as text) as sku,
          (select cast(count(*) as int) from cards c where c.set_id = s.id and c.first_seen_at = s.first_seen_at) as cards,
          cast(null as text) as moved_to, s.sources, 'a' || s.code_key as place
        from sets s where s.game = :game and s.first_seen_at >= :from and (cast(:code as text) is null or s.code_key = :code)
        union all
        select c.first_seen_at, 'first-seen', c.set_code, c.sku, null, null, c.sources, 'b' || c.sku
        from cards c join sets s on s.id = c.set_id
        where c.game = :game and c.first_seen_at >= :from and c.first_seen_at > s.first_seen_at
          and (cast(:code as text) is null or s.code_key = :code)
        union all
        select h.changed_at, case when w.successor is null then h.kind else 'moved' end, null, h.sku, null, w.successor,
          array_remove(array[h.source], null), 'c' || lpad(cast(h.id as text), 19, '0')
        from card_changes h left join withdrawals w on h.kind = 'withdrawn' and w.sku = h.sku
        where split_part(h.sku, '-', 1) = :game and h.changed_at >= :from
          and (cast(:part as text) is null or split_part(h.sku, '-', 2) = :part)
      )
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, kind, set_code, sku, cards, moved_to, sources,
        place collate "C" as place
      from entries
      where (cast(:kind as text) is null or kind = :kind)
        and (cast(:after as timestamptz) is null or (at, place collate "C") > (cast(:after as timestamptz), :place))
      order by entries.at, entries.place collate "C" limit :most`,
      { game, from, code, part, kind: kind ?? null, after: after?.at ?? null, place: after?.place ?? '', most }
    )
  )
}
