import type { TObject } from 'typebox'
import { Type, Count, nullable, NullableText, Texts, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import { wholeText } from './card-text.ts'

const holdingCounts = {
  games: Count,
  sets: Count,
  cards: Count,
  /** The number of different pairs of set and number; languages and variants of a number count once. */
  numbers: Count,
  /** The number of sources with a successful import. */
  sources: Count,
  /** The time at which the last successful import ended (ISO 8601); null before the first. */
  as_of: NullableText
}

/**
 * Counts of the catalogue's content. Every response that states a size uses them. `document_bytes`: the mean length of
 * a card document.
 */
export type Holdings = DataOf<TObject<typeof holdingCounts>> & Readonly<{ document_bytes: number }>

const Row = Type.Object({ ...holdingCounts, documents: nullable(Texts) })

const meanLength = (texts: readonly string[]): number =>
  Math.round(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / Math.max(texts.length, 1))

/** Reads the counts with one query over tables of a few hundred rows and a sample of 200 documents. */
export async function readHoldings({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>): Promise<Holdings> {
  const [held] = await rows(
    Row,
    knex.raw(`
    select (select count(*)::int from games) as games,
      s.sets, s.cards, s.numbers,
      r.sources, r.as_of,
      (select array_agg(document) from (select document from cards order by sku limit 200) d) as documents
    from (select count(*)::int as sets, coalesce(sum(card_count), 0)::int as cards, coalesce(sum(number_count), 0)::int as numbers from sets) s,
      (select count(distinct source)::int as sources, max(finished_at) as as_of from runs where status = 'succeeded') r`)
  )
  const { documents, ...numbers } = held ?? {
    games: 0,
    sets: 0,
    cards: 0,
    numbers: 0,
    sources: 0,
    documents: null,
    as_of: null
  }
  return { ...numbers, document_bytes: meanLength((documents ?? []).map(wholeText)) }
}
