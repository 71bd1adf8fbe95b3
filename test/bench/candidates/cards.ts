/**
 * What a service without Pantry would do for its cards: one knex query for each request, and an object put together
 * from the rows.
 */
import { createHash } from 'node:crypto'
import knexFactory from 'knex'
import { exampleOf, sample, stamped, type Document } from './common.ts'

type Row = Readonly<Record<string, string | null>>

const knex = knexFactory({ client: 'pg', connection: sample.databaseUrl, pool: { min: 2, max: 10 } })
const columns = [
  'c.sku',
  'c.game',
  'c.set_code',
  'c.card_number',
  'c.lang',
  'c.variant',
  'c.name',
  'c.name_translations',
  'c.rarity',
  'c.illustrators',
  'c.attributes',
  'c.printed_in',
  'c.sources',
  'c.content_hash',
  's.name as set_name',
  's.content_hash as set_hash',
  'g.content_hash as game_hash'
]
const cards = (): ReturnType<typeof knex> =>
  knex('cards as c').join('sets as s', 's.id', 'c.set_id').join('games as g', 'g.token', 'c.game')

const setPath = ({ game, set_code: code }: Row): string =>
  `/api/v1/universal/set/${encodeURIComponent(code?.toLowerCase() ?? '')}?game=${game}`
const cardPath = ({ sku }: Row): string => `/api/v1/universal/card/${sku}`
const aboutPath = ({ sku }: Row, what: string): string => `/api/v1/cards/${sku}/${what}`
const retrieved = (): Document => {
  const now = new Date()
  return { iso8601: now.toISOString(), unix_epoch_seconds: Math.floor(now.getTime() / 1000) }
}

const cardExample = exampleOf(sample.card)
const { _links: links, name, in_set: inSet, of_game: ofGame } = cardExample as Readonly<Record<string, Document>>

function cardOf(row: Row): Document {
  const set = setPath(row)
  return {
    ...cardExample,
    '@content_hash': row['content_hash'],
    '@retrieved_at': retrieved(),
    '@sources': row['sources'],
    _links: {
      ...links,
      canonical: cardPath(row),
      connections: [aboutPath(row, 'everything'), aboutPath(row, 'evidence')],
      federation: `/api/v1/federation/identify/${row['content_hash']}`,
      parent: set,
      siblings: set,
      'sibling-collection': set,
      temporal: `/api/at/${new Date().toISOString().slice(0, 10)}/card/${row['sku']}`
    },
    attributes: row['attributes'],
    card_number: row['card_number'],
    game: row['game'],
    illustrators: row['illustrators'],
    in_set: {
      ...inSet,
      _links: { canonical: set },
      target_hash: row['set_hash'],
      target_natural_token: row['set_code']?.toLowerCase()
    },
    lang: row['lang'],
    name: { ...name, natural_token: row['name'] },
    of_game: {
      ...ofGame,
      _links: { canonical: `/api/v1/universal/game/${row['game']}` },
      target_hash: row['game_hash'],
      target_natural_token: row['game']
    },
    printed_code: row['set_code'],
    printed_in: row['printed_in'],
    rarity:
      row['rarity'] === null ? null : { ...(cardExample['rarity'] as Document | null), natural_label: row['rarity'] },
    set_code: row['set_code']?.toLowerCase(),
    sku: row['sku'],
    variant: row['variant'] === null ? null : { natural_label: row['variant'] }
  }
}

/** Answers of the database with the entity tag that a service would give them. */
export type Found = Readonly<{ etag: string; document: Document }>

export async function findCard(sku: string): Promise<Found | undefined> {
  const row = await cards().where('c.sku', sku).first<Row | undefined>(columns)
  return row === undefined ? undefined : { etag: `W/"${row['content_hash']?.slice(0, 32)}"`, document: cardOf(row) }
}

const batchExample = exampleOf(sample.batch)

export async function findBatch(skus: readonly string[], id: string): Promise<Document> {
  const rows = await cards()
    .whereIn('c.sku', [...skus])
    .select<Row[]>(columns)
  const bySku = new Map(rows.map(row => [row['sku'], row]))
  const results = skus.map(sku => {
    const row = bySku.get(sku)
    if (row === undefined) return { requested_sku: sku, status: 'not_in_storefront_mirror' }
    return {
      requested_sku: sku,
      status: 'found',
      matched_by: 'stored_sku',
      card: {
        sku,
        canonical_sku: sku,
        card_number: row['card_number'],
        name: row['name'],
        name_en: row['name'],
        name_translations: row['name_translations'],
        set: { code: row['set_code']?.toLowerCase(), printed_code: row['set_code'], name: row['set_name'] },
        game: row['game'],
        lang: row['lang'],
        variant: row['variant'],
        rarity: row['rarity']
      },
      links: {
        universal: cardPath(row),
        everything: aboutPath(row, 'everything'),
        evidence: aboutPath(row, 'evidence')
      }
    }
  })
  return stamped(
    {
      ...batchExample,
      data: {
        ...(batchExample['data'] as Document),
        requested_count: skus.length,
        unique_requested_count: bySku.size,
        found_count: rows.length,
        results
      }
    },
    id
  )
}

const setExample = exampleOf(sample.set)

export async function findSet(code: string, game: string): Promise<Found> {
  const rows = await cards()
    .where('c.game', game)
    .whereRaw('s.code_key = ?', [code.toLowerCase()])
    .orderBy('c.card_number')
    .select<Row[]>(columns)
  const entries = rows.map(row => ({
    _links: { canonical: cardPath(row) },
    card_number: row['card_number'],
    edge_kind: 'has_card',
    lang: row['lang'],
    name: row['name'],
    rarity: row['rarity'],
    target_hash: row['content_hash'],
    target_natural_token: row['sku'],
    variant: row['variant']
  }))
  return {
    etag: `W/"${rows[0]?.['set_hash']?.slice(0, 32)}"`,
    document: {
      ...setExample,
      '@retrieved_at': retrieved(),
      '@content_hash': rows[0]?.['set_hash'],
      cards: entries,
      cards_returned: rows.length,
      game,
      set_code: code
    }
  }
}

const searchExample = exampleOf(sample.search)

export async function findNumber(game: string, number: string, id: string): Promise<Found> {
  const rows = await cards()
    .where({ 'c.game': game, 'c.card_number': number })
    .orderBy('c.sku')
    .limit(50)
    .select<Row[]>(columns)
  const matches = rows.map(row => ({
    sku: row['sku'],
    card_number: row['card_number'],
    set_code: row['set_code']?.toLowerCase(),
    printed_code: row['set_code'],
    name: row['name'],
    name_en: row['name'],
    image_url: null,
    lang: row['lang'],
    variant: row['variant'],
    confidence: 'exact',
    reason: 'set+number matched (publisher form)'
  }))
  const digest = createHash('sha1')
    .update(rows.map(row => row['content_hash']).join())
    .digest('base64url')
  return {
    etag: `W/"${digest}"`,
    document: stamped(
      { ...searchExample, data: { ...(searchExample['data'] as Document), input: { game, q: number }, matches } },
      id
    )
  }
}
