import type { TSchema } from 'typebox'
import { Type, closed, Count, nullable, NullableText, Text, Texts, unavailable, type DataOf } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'
import type { CardRow } from './documents/card.ts'
import type { CardFacts } from './card-fields.ts'
import { statementsReader, type SourceSays } from './facts-by-source.ts'
import { cardInFull, columnsInFull, selectedInFull, wholeText } from './card-row.ts'
import {
  countsNumbers,
  Disagreement,
  GameCompleteness,
  GameRow,
  SetRow,
  type CardInFull,
  type SetListing
} from './rows.ts'
import { CatalogueCache, RowCache } from './kept.ts'
import { neighboursReader } from './neighbours.ts'
import { canonicalCode } from './sku.ts'

/**
 * The entity that a content hash belongs to. `token`: the SKU of a card, the lowercase code of a set, or the token of a
 * game. `sources`: those that observed it, sorted.
 */
export type Resolved = Readonly<{
  kind: 'card' | 'set' | 'game'
  game: string
  token: string
  sources: readonly string[]
}>

// The types of the columns of each lookup, in the order of its `select`.
const stored = [Text, Text, Text, Text, Text, Type.Boolean(), Text, Text, Text, NullableText] as const
const evidence = [Text, Text, Texts, Type.Array(Disagreement)] as const
const native = [Text, Text, Type.Boolean()] as const
const brief = [
  Text,
  Text,
  NullableText,
  nullable(Type.Record(Text, Text)),
  Text,
  Text,
  Text,
  NullableText,
  Text,
  NullableText,
  Texts
] as const
const observer = [Text] as const
const listing = [Text, Text, Count, Text, Count, Text] as const
const hash = [Text, Type.Enum(['card', 'set', 'game']), Text, Text, Texts] as const
const size = closed({ games: Count, cards: Count })

type Lookup<Columns extends readonly TSchema[]> = Loader<RowOf<Columns>>

/** The sources that observed a card, and the fields in which they disagree. */
export type CardEvidence = Readonly<{
  game: string
  sources: readonly string[]
  disagreements: readonly Disagreement[]
}>

/** A row of a source found by its native id: its SKU, and whether the catalogue has that card. */
type NativeCard = Readonly<{ sku: string; held: boolean }>

/** The facts of a card that lists show. */
export type CardInBrief = Pick<
  CardFacts,
  'sku' | 'card_number' | 'name' | 'game' | 'lang' | 'variant' | 'rarity' | 'set_code'
> &
  Readonly<{ names: Readonly<Record<string, string>> | null; set_name: string | null; sources: readonly string[] }>

/** An upper limit that is larger than the number of printings of any card number. */
const maxPrintings = 500

/**
 * The read side of the catalogue. Every list except that of `family` has a total order; database failures throw
 * `SOURCE_UNAVAILABLE`.
 */
export class Catalogue {
  readonly #knex: Database['reading']
  readonly #rows: Database['rows']
  readonly #stored: Lookup<typeof stored>
  readonly #full: Lookup<typeof columnsInFull>
  readonly #brief: Lookup<typeof brief>
  readonly #briefs: RowCache<CardInBrief>
  readonly #families: Lookup<typeof columnsInFull>
  readonly #hashes: Lookup<typeof hash>
  readonly #evidence: Lookup<typeof evidence>
  readonly #natives: Lookup<typeof native>
  readonly #observers: Lookup<typeof observer>
  readonly #listings: Lookup<typeof listing>

  /** Returns what rows of sources say of a card, in no order. */
  readonly statementsOf: (sku: string) => Promise<readonly SourceSays[]>

  /** Returns the numbers before and after that of a card. */
  readonly neighboursOf: ReturnType<typeof neighboursReader>

  constructor(
    { reading: knex, rows, reader, inSnapshot }: Pick<Database, 'reading' | 'rows' | 'reader' | 'inSnapshot'>,
    kept: Pick<CatalogueCache, 'version' | 'atVersion'> = new CatalogueCache({ reader, inSnapshot })
  ) {
    this.#briefs = new RowCache(kept, skus => this.#readInBrief(skus))
    this.statementsOf = statementsReader(reader)
    this.neighboursOf = neighboursReader(reader)
    this.#knex = knex
    this.#rows = rows
    this.#stored = reader.createLoader({
      name: 'card_document',
      sql: knex('cards as c')
        .join('sets as s', 's.id', 'c.set_id')
        .join('games as g', 'g.token', 'c.game')
        .select(
          'c.sku',
          'c.document',
          'c.digest',
          's.content_hash as set_hash',
          'g.content_hash as game_hash',
          knex.raw(
            'exists(select from json_each_text(c.name_translations) n where n.value is distinct from c.name) as has_other_name'
          ),
          'c.game',
          'c.set_code',
          'c.lang',
          'c.rarity'
        )
        .whereRaw('c.sku = any(?)', [[]])
        .toSQL()
        .toNative().sql,
      columns: stored,
      keyOf: row => row[0]
    })
    this.#full = reader.createLoader({
      name: 'card_in_full',
      sql: `select c.sku, ${selectedInFull} from cards c join sets s on s.id = c.set_id join games g on g.token = c.game where c.sku = any($1)`,
      columns: columnsInFull,
      keyOf: row => String(row[0])
    })
    this.#brief = reader.createLoader({
      name: 'card_in_brief',
      sql: `select c.sku, c.card_number, c.name, c.name_translations, c.game, c.lang, c.variant, c.rarity, s.code, s.name, c.sources
        from cards c join sets s on s.id = c.set_id where c.sku = any($1)`,
      columns: brief,
      keyOf: row => row[0]
    })
    // In byte order, everything that starts with `a-b-1-` comes before `a-b-1.`, and the primary key has that
    // order. The planner cannot estimate how few rows match; the `order by` with a limit makes it use the index at
    // any table size.
    this.#families = reader.createLoader({
      name: 'card_family',
      sql: `select f.prefix, ${selectedInFull} from unnest($1::text[]) as f(prefix) cross join lateral (
          select * from cards where sku collate "C" > f.prefix and sku collate "C" < left(f.prefix, -1) || '.' order by sku collate "C" limit ${maxPrintings}
        ) c join sets s on s.id = c.set_id join games g on g.token = c.game`,
      columns: columnsInFull,
      keyOf: row => String(row[0])
    })
    this.#evidence = reader.createLoader({
      name: 'card_evidence',
      sql: `select c.sku, c.game, c.sources, (
          select coalesce(jsonb_agg(jsonb_build_object('field', d.field, 'statements', d.statements) order by d.field collate "C"), '[]')
          from disagreements d where d.sku = c.sku
        ) from cards c where c.sku = any($1)`,
      columns: evidence,
      keyOf: row => row[0]
    })
    this.#natives = reader.createLoader({
      name: 'native_card',
      sql: `select k.key, o.sku, exists(select from cards c where c.sku = o.sku) from unnest($1::text[]) as k(key)
        join observations o on o.source = split_part(k.key, ' ', 1) and o.native_id = substr(k.key, strpos(k.key, ' ') + 1)`,
      columns: native,
      keyOf: row => row[0]
    })
    // `order by` the index key makes the lookup one index probe for each source.
    this.#observers = reader.createLoader({
      name: 'observing_source',
      sql: `select k.key from unnest($1::text[]) as k(key) cross join lateral (
          select from observations o where o.source = k.key order by o.native_id limit 1
        ) o`,
      columns: observer,
      keyOf: row => row[0]
    })
    this.#listings = reader.createLoader({
      name: 'set_listing',
      sql: 'select set_id::text, items, cards, printings, printing_count, digest from set_listings where set_id = any($1::int[])',
      columns: listing,
      keyOf: row => row[0]
    })
    this.#hashes = reader.createLoader({
      name: 'content_hash',
      sql: `select h.content_hash, 'card', game, sku, c.sources from card_hashes h join cards c using (game, sku) where h.content_hash = any($1)
        union all select content_hash, 'set', game, code_key, sources from sets where content_hash = any($1)
        union all select content_hash, 'game', token, token, sources from games where content_hash = any($1)`,
      columns: hash,
      keyOf: row => row[0]
    })
  }

  /**
   * Returns the whole document of a card, with the current hashes of its set and game; `has_other_name`: whether the
   * card has a different name in another language. Concurrent lookups share one query.
   */
  async card(sku: string): Promise<(CardRow & Readonly<{ has_other_name: boolean }>) | undefined> {
    const row = await this.#stored.load(sku)
    if (row === undefined) return undefined
    return {
      document: wholeText(row[1]),
      digest: row[2],
      set_hash: row[3],
      game_hash: row[4],
      has_other_name: row[5],
      game: row[6],
      set_code: row[7],
      lang: row[8],
      rarity: row[9]
    }
  }

  /** Returns all facts of a card with its set and game. Concurrent lookups share one query. */
  async cardInFull(sku: string): Promise<CardInFull | undefined> {
    const row = await this.#full.load(sku)
    return row === undefined ? undefined : cardInFull(row)
  }

  /** Returns the facts of cards that lists show, in the order of the SKUs; `undefined` for a SKU without a card. */
  async cardsInBrief(skus: readonly string[]): Promise<readonly (CardInBrief | undefined)[]> {
    return await this.#briefs.of(skus)
  }

  async #readInBrief(skus: readonly string[]): Promise<readonly (CardInBrief | undefined)[]> {
    return (await this.#brief.loadMany(skus)).map(
      row =>
        row && {
          sku: row[0],
          card_number: row[1],
          name: row[2],
          names: row[3],
          game: row[4],
          lang: row[5],
          variant: row[6],
          rarity: row[7],
          set_code: row[8],
          set_name: row[9],
          sources: row[10]
        }
    )
  }

  /**
   * Returns the printings with the same game, set and number as a canonical SKU, including that of the SKU if it
   * exists; in no particular order.
   */
  async family(sku: string): Promise<readonly CardInFull[]> {
    const rows = await this.#families.loadAll(`${sku.split('-', 3).join('-')}-`)
    return rows.map(cardInFull)
  }

  /**
   * Returns the sources that observed each card and their disagreements, in the order of the SKUs; `undefined` for a
   * SKU without a card.
   */
  async evidenceOf(skus: readonly string[]): Promise<readonly (CardEvidence | undefined)[]> {
    return (await this.#evidence.loadMany(skus)).map(
      row => row && { game: row[1], sources: row[2], disagreements: row[3] }
    )
  }

  /** Whether the source has any observation. Concurrent lookups share one query. */
  async isObserved(source: string): Promise<boolean> {
    return (await this.#observers.load(source)) !== undefined
  }

  /** Returns the card that the row with the id `nativeId` of a source became. */
  async byNativeId(source: string, nativeId: string): Promise<NativeCard | undefined> {
    const row = await this.#natives.load(`${source} ${nativeId}`)
    return row === undefined ? undefined : { sku: row[1], held: row[2] }
  }

  /** Returns all games, ordered by token. */
  async games(): Promise<readonly GameRow[]> {
    return await this.#rows(GameRow, this.#games().orderByRaw('g.token collate "C"'))
  }

  async game(token: string): Promise<GameRow | undefined> {
    const [game] = await this.#rows(GameRow, this.#games().where('g.token', token))
    return game
  }

  /** Returns the sets of a game, oldest release first, undated ones last. */
  async sets(game: string): Promise<readonly SetRow[]> {
    return await this.#rows(
      SetRow,
      this.#sets().where('s.game', game).orderByRaw('s.released_on asc nulls last, s.code_key collate "C"')
    )
  }

  /** Returns up to `count` sets of a game with a known day of release, newest first. */
  async recentSets(game: string, count: number): Promise<readonly SetRow[]> {
    return await this.#rows(
      SetRow,
      this.#sets()
        .where('s.game', game)
        .whereNotNull('s.released_on')
        .orderByRaw('s.released_on desc, s.code_key collate "C"')
        .limit(count)
    )
  }

  /** Returns up to `count` sets of all games that were released on or before a UTC day, newest first. */
  async newestSets(until: string, count: number): Promise<readonly SetRow[]> {
    return await this.#rows(
      SetRow,
      this.#sets()
        .where('s.released_on', '<=', until)
        .orderByRaw('s.released_on desc, s.game collate "C", s.code_key collate "C"')
        .limit(count)
    )
  }

  /**
   * Counts per game how many of the declared card numbers the catalogue has, over the sets whose declared total counts
   * numbers.
   */
  async completenessByGame(): Promise<readonly GameCompleteness[]> {
    const sets = this.#knex('sets as s')
      .leftJoin('set_numbers as n', 'n.set_id', 's.id')
      .select('s.game', this.#knex.raw(`${countsNumbers} as compared`), 's.number_count', 's.declared_total')
    const sumOf = (column: string) =>
      this.#knex.raw('coalesce(sum(??) filter (where compared), 0)::int as ??', [column, column])
    return await this.#rows(
      GameCompleteness,
      this.#knex(sets.as('s'))
        .select(
          'game',
          this.#knex.raw('count(*) filter (where compared)::int as sets_compared'),
          this.#knex.raw('count(*) filter (where declared_total is not null and not compared)::int as sets_left_out'),
          sumOf('number_count'),
          sumOf('declared_total')
        )
        .groupBy('game')
        .orderByRaw('game collate "C"')
    )
  }

  /** Returns the sets with a code, in any letter case, ordered by game; several games may use the same code. */
  async setsByCode(code: string, game?: string): Promise<readonly SetRow[]> {
    const query = this.#sets().where('s.code_key', canonicalCode(code)).orderByRaw('s.game collate "C"')
    return await this.#rows(SetRow, game === undefined ? query : query.where('s.game', game))
  }

  /**
   * Returns the cards of a set as its document lists them. Imports write these lists; a catalogue of an older version
   * has none until the start of the server has written them, and the method throws `SOURCE_UNAVAILABLE`.
   */
  async listingOf(set: Pick<SetRow, 'id'>): Promise<SetListing> {
    const row = await this.#listings.load(String(set.id))
    if (row === undefined)
      throw unavailable('The cards of this set are not listed yet. Please try again in a moment.', 1, {
        subsystem: 'catalogue'
      })
    return { items: row[1], cards: row[2], printings: row[3], printing_count: row[4], digest: row[5] }
  }

  /** Returns the card, set or game whose current content hash this is, with one index probe for each kind. */
  async byHash(hash: string): Promise<Resolved | undefined> {
    const row = await this.#hashes.load(hash)
    return row === undefined ? undefined : { kind: row[1], game: row[2], token: row[3], sources: row[4] }
  }

  /** Returns the numbers of games and cards in the catalogue. */
  async size(): Promise<DataOf<typeof size>> {
    const [counted] = await this.#rows(
      size,
      this.#knex('games').select(
        this.#knex.raw('count(*) as games'),
        this.#knex.raw('coalesce(sum(card_count), 0)::bigint as cards')
      )
    )
    return counted ?? { games: 0, cards: 0 }
  }

  #sets() {
    return this.#knex('sets as s')
      .join('games as g', 'g.token', 's.game')
      .leftJoin('set_numbers as n', 'n.set_id', 's.id')
      .select(
        's.id',
        's.game',
        's.code as set_code',
        's.name',
        's.released_on',
        's.released_note',
        's.declared_total',
        's.card_count',
        's.number_count',
        this.#knex.raw(`${countsNumbers} as counts_numbers`),
        's.sources',
        's.content_hash',
        's.first_seen_at',
        'g.content_hash as game_hash'
      )
  }

  #games() {
    return this.#knex('games as g').select(
      'g.token as game',
      'g.set_count',
      'g.card_count',
      'g.declared_card_count',
      'g.sources',
      'g.content_hash',
      'g.first_seen_at',
      'g.updated_at',
      this.#knex.raw('(select min(released_on) from sets s where s.game = g.token) as first_set_released_at'),
      this.#knex.raw('(select max(released_on) from sets s where s.game = g.token) as latest_set_released_at')
    )
  }
}
