import type { Database } from 'pantry/database'
import { wholeText } from './card-text.ts'

/** What the catalogue holds, counted. Every answer that tells a size takes it from here. */
export type Holdings = Readonly<{
  games: number
  sets: number
  cards: number
  /** Cards told apart by set and number only: languages and variants of one number count once. */
  numbers: number
  /** Sources with a succeeded import. */
  sources: number
  /** Mean length of a card document, in bytes. */
  document_bytes: number
  /** When the last import that succeeded ended (ISO 8601); null before the first. */
  as_of: string | null
}>

type Row = Omit<Holdings, 'document_bytes'> & Readonly<{ documents: readonly string[] | null }>

const meanLength = (texts: readonly string[]): number => Math.round(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / Math.max(texts.length, 1))

/** One statement over tables of a few hundred rows, and a sample of documents. */
export async function readHoldings (knex: Database['knex']): Promise<Holdings> {
  const { rows: [held] } = await knex.raw<{ rows: Row[] }>(`
    select (select count(*)::int from games) as games,
      s.sets, s.cards, s.numbers,
      r.sources, r.as_of,
      (select array_agg(document) from (select document from cards order by sku limit 200) d) as documents
    from (select count(*)::int as sets, coalesce(sum(card_count), 0)::int as cards, coalesce(sum(number_count), 0)::int as numbers from sets) s,
      (select count(distinct source)::int as sources, max(finished_at) as as_of from runs where status = 'succeeded') r`)
  const { documents, ...counted } = held ?? { games: 0, sets: 0, cards: 0, numbers: 0, sources: 0, documents: null, as_of: null }
  return { ...counted, document_bytes: meanLength((documents ?? []).map(wholeText)) }
}
