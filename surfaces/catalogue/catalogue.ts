import type { Database } from '../database/database.ts'
import type { CardRow } from './card-document.ts'
import type { CardFacts } from './facts.ts'
import { naturalOrder } from './natural-order.ts'
import type { CardItem, GameRow, SetRow } from './rows.ts'

/** What a content hash belongs to. For a set, `token` is its code. */
export type Resolved = Readonly<{ kind: 'card' | 'set' | 'game', game: string, token: string }>

/** A card with everything around it. */
export type CardInFull = Readonly<{ card: CardFacts & { content_hash: string }, set: SetRow, game: GameRow }>

type StoredTuple = readonly [sku: string, document: string, digest: string, setHash: string, gameHash: string]
type HashTuple = readonly [hash: string, kind: Resolved['kind'], game: string, token: string]

const cardColumns = [
  'sku', 'game', 'set_code', 'card_number', 'lang', 'variant', 'name', 'name_translations', 'rarity', 'illustrators', 'attributes', 'sources', 'content_hash'
] as const

/** The read side of the catalogue. Every list has one total order; failures of the store are a `SurfaceError` 503. */
export class Catalogue {
  readonly #knex: Database['knex']
  readonly #stored: { load: (sku: string) => Promise<StoredTuple | undefined> }
  readonly #hashes: { load: (hash: string) => Promise<HashTuple | undefined> }

  constructor ({ knex, reader }: Pick<Database, 'knex' | 'reader'>) {
    this.#knex = knex
    this.#stored = reader.createLoader<StoredTuple>({
      name: 'card_document',
      sql: knex('cards as c').join('sets as s', 's.id', 'c.set_id').join('games as g', 'g.token', 'c.game')
        .select('c.sku', 'c.document', 'c.digest', 's.content_hash as set_hash', 'g.content_hash as game_hash')
        .whereRaw('c.sku = any(?)', [[]]).toSQL().toNative().sql,
      keyOf: row => row[0]
    })
    this.#hashes = reader.createLoader<HashTuple>({
      name: 'content_hash',
      sql: `select content_hash, 'card', game, sku from cards where content_hash = any($1)
        union all select content_hash, 'set', game, code from sets where content_hash = any($1)
        union all select content_hash, 'game', token, token from games where content_hash = any($1)`,
      keyOf: row => row[0]
    })
  }

  /** The stored document of a card, with the current hashes of its set and its game. Concurrent lookups share one query. */
  async card (sku: string): Promise<CardRow | undefined> {
    const row = await this.#stored.load(sku)
    return row === undefined ? undefined : { document: row[1], digest: row[2], set_hash: row[3], game_hash: row[4] }
  }

  async cardInFull (sku: string): Promise<CardInFull | undefined> {
    const card = await this.#knex('cards').first<CardInFull['card'] | undefined>(...cardColumns).where({ sku })
    if (card === undefined) return undefined
    const [[set], game] = await Promise.all([this.setsByCode(card.set_code, card.game), this.game(card.game)])
    return set === undefined || game === undefined ? undefined : { card, set, game }
  }

  /** Games by token. */
  async games (): Promise<GameRow[]> {
    return await this.#games().orderByRaw('g.token collate "C"')
  }

  async game (token: string): Promise<GameRow | undefined> {
    const [game] = await this.#games().where('g.token', token)
    return game
  }

  /** Sets of a game from first to last release, undated ones last. */
  async sets (game: string): Promise<SetRow[]> {
    return await this.#sets().where('s.game', game).orderByRaw('s.released_on asc nulls last, s.code_key collate "C"')
  }

  /** Sets of a game from last to first release, undated ones last. */
  async recentSets (game: string, count: number): Promise<SetRow[]> {
    return await this.#sets().where('s.game', game).orderByRaw('s.released_on desc nulls last, s.code_key collate "C"').limit(count)
  }

  /** Sets of that code in any letter case, by game; several games may use one code. */
  async setsByCode (code: string, game?: string): Promise<SetRow[]> {
    const query = this.#sets().where('s.code_key', code.toLowerCase()).orderByRaw('s.game collate "C"')
    return await (game === undefined ? query : query.where('s.game', game))
  }

  /** Cards of a set as people count: number, then variant, then language. */
  async cardsOf (set: Pick<SetRow, 'id'>): Promise<CardItem[]> {
    const cards = await this.#knex('cards').select<CardItem[]>('sku', 'card_number', 'lang', 'variant', 'rarity', 'content_hash').where({ set_id: set.id })
    return cards.sort((a, b) => naturalOrder(a.card_number, b.card_number) || naturalOrder(a.variant, b.variant) || naturalOrder(a.sku, b.sku))
  }

  /** The card, set or game whose current content hash this is: one probe of an index for each. */
  async byHash (hash: string): Promise<Resolved | undefined> {
    const row = await this.#hashes.load(hash)
    return row === undefined ? undefined : { kind: row[1], game: row[2], token: row[3] }
  }

  /** How much the catalogue holds. */
  async size (): Promise<Readonly<{ games: number, cards: number }>> {
    const [size] = await this.#knex('games').select<{ games: number, cards: number }[]>(
      this.#knex.raw('count(*) as games'), this.#knex.raw('coalesce(sum(card_count), 0)::bigint as cards')
    )
    return size ?? { games: 0, cards: 0 }
  }

  #sets () {
    return this.#knex('sets as s').join('games as g', 'g.token', 's.game').select<SetRow[]>(
      's.id', 's.game', 's.code as set_code', 's.name', 's.released_on', 's.released_note', 's.declared_total', 's.card_count', 's.content_hash', 's.first_seen_at',
      'g.content_hash as game_hash'
    )
  }

  #games () {
    return this.#knex('games as g').select<GameRow[]>(
      'g.token as game', 'g.set_count', 'g.card_count', 'g.declared_card_count', 'g.content_hash', 'g.first_seen_at', 'g.updated_at',
      this.#knex.raw('(select min(released_on) from sets s where s.game = g.token) as first_set_released_at'),
      this.#knex.raw('(select max(released_on) from sets s where s.game = g.token) as latest_set_released_at')
    )
  }
}
