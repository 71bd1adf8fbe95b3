import { sha256Hex } from 'pantry/data'
import { Bytes, copyInto, copyLine, type CopyValue, type StartedLine, type Transaction } from 'pantry/database'
import { writtenColumns, writtenValues } from '../../cards/card-row.ts'
import { gameOf } from '../../cards/sku.ts'
import { joinPrintedIn } from '../../cards/writing.ts'
import { openTouched } from './derive.ts'
import { mergeCard, type CardStatement } from './merge.ts'

/**
 * The number of bits: 4 MB. With two million texts (the ids and SKUs of a million rows), about one lookup in 500 is a
 * false positive.
 */
const size = 2 ** 25
const probes = 4

/**
 * A Bloom filter of fixed size: no false negatives, and rare false positives (Bloom, "Space/Time Trade-offs in Hash
 * Coding with Allowable Errors", 1970).
 */
export class BloomFilter {
  private readonly words = new Uint32Array(size / 32)

  /** Adds a text. Returns false when it was certainly not added before. */
  add(text: string): boolean {
    // An FNV-1a hash, and one of the same form with another start and factor. Sums of the two work as well as
    // independent hashes (Kirsch and Mitzenmacher, 2006).
    let [place, step] = [0x811c9dc5, 0x01000193]
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      place = Math.imul(place ^ unit, 0x01000193)
      step = Math.imul(step ^ unit, 0x5bd1e995)
    }
    step ^= step >>> 15
    let wasThere = true
    for (let probe = 0; probe < probes; probe++, place = (place + step) | 0) {
      const at = (place ^ (place >>> 13)) & (size - 1)
      const word = this.words[at >>> 5] ?? 0
      const bit = 1 << (at & 31)
      wasThere &&= (word & bit) !== 0
      this.words[at >>> 5] = word | bit
    }
    return wasThere
  }
}

type Fetch = (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>

/** Above this number of ids a cache is cleared. It is more than any source has sets, and bounds memory use. */
const maxCachedIds = 20_000

/** A cache of database ids by text key, which fetches each missing id once. */
class Ids {
  private readonly known = new Map<string, number>()
  private readonly fetch: Fetch

  constructor(fetch: Fetch) {
    this.fetch = fetch
  }

  async of(keys: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    const asked = [...new Set(keys)]
    if (this.known.size > maxCachedIds) this.known.clear()
    const missing = asked.filter(key => !this.known.has(key))
    if (missing.length > 0) for (const [key, id] of await this.fetch(missing)) this.known.set(key, id)
    return this.known
  }
}

/** Returns ids of set statements by their JSON text; new statements are inserted. */
const statementIds = (transaction: Transaction): Ids =>
  new Ids(async texts => {
    const byDigest = new Map(texts.map(text => [sha256Hex(text), text]))
    const digests = [...byDigest.keys()]
    const { rows } = await transaction.raw<{ rows: { id: number; digest: string }[] }>(
      `
    with given as materialized (select * from unnest(?::text[], ?::jsonb[]) as n(digest, statement)),
      made as (insert into set_statements (digest, statement) select * from given on conflict do nothing returning id, digest)
    select id, digest from made union all select s.id, digest from given join set_statements s using (digest)`,
      [digests, [...byDigest.values()]]
    )
    return new Map(rows.map(({ id, digest }) => [byDigest.get(digest) ?? '', id]))
  })

/** Returns the cache key of a set. Codes that differ only by case give different keys with the same id. */
export const setKey = (game: string, code: string): string => `${game} ${code}`

/** Returns ids of sets by `setKey`; a set that does not exist yet is inserted without facts. */
const setIds = (transaction: Transaction): Ids =>
  new Ids(async keys => {
    const games = keys.map(key => key.slice(0, key.indexOf(' ')))
    const codes = keys.map(key => key.slice(key.indexOf(' ') + 1))
    // Inserted rows are not visible in the same statement, so the query combines `returning` with the existing rows.
    const { rows } = await transaction.raw<{ rows: { id: number; place: number }[] }>(
      `
    with given as materialized (select * from unnest(?::text[], ?::text[], ?::text[]) with ordinality as n(game, code, code_key, place)),
      made as (
        insert into sets (game, code, code_key, first_seen_at) select game, code, code_key, now() from given on conflict do nothing returning id, game, code_key
      )
    select id, place::int from given join made using (game, code_key) union all select s.id, place::int from given join sets s using (game, code_key)`,
      [games, codes, codes.map(code => code.toLowerCase())]
    )
    return new Map(rows.map(({ id, place }) => [keys[place - 1] ?? '', id]))
  })

/** A row that was read: either mapped, with the text to be stored, or with the reason why it is left out. */
export type StagedRow = Readonly<
  { ordinal: number; nativeId: string } & (
    | { reason: string }
    | { sku: string; digest: string; set: string; text: string; setStatement: string; lines?: Lines | undefined }
  )
>
/**
 * The COPY lines for a new row's observation and card, without the ids that only the database knows. They are bytes,
 * because batches wait for the database and the garbage collector would scan waiting strings.
 */
type Lines = Readonly<{ bytes: Bytes; from: number; middle: number; to: number }>
type StagedCard = Extract<StagedRow, { sku: string }>
type Written = Pick<StagedCard, 'nativeId' | 'sku' | 'digest' | 'text'>
type Held = Readonly<{ source: string; native_id: string; sku: string; digest: string }>

/**
 * Writes the rows of an import. A row whose native id and SKU are new to the source is written at once; later rows with
 * one of the two are not new. For an unchanged row only a note is made. Notes and all other rows go to the temporary
 * table `stage` and are settled at the end. Most rows of a first import are never staged.
 */
export class BatchWriter {
  /** The number of rows that were written at once. */
  fresh = 0
  private readonly transaction: Transaction
  private readonly run: number
  private readonly source: string
  private readonly sets: Ids
  private readonly statements: Ids
  /** The ids of the sets of rows that were written at once. */
  private readonly used = new Set<number>()
  /** The games that have cards, set only if the source has no observations from earlier runs. */
  private games: ReadonlySet<string> | undefined
  /** The native ids and SKUs of this run; filled only while `games` is set. */
  private readonly seen = new BloomFilter()
  /**
   * Whether most rows are expected to be new. If so, their COPY lines are made while rows are read, as the database
   * works.
   */
  private expectsNew = true

  constructor(transaction: Transaction, run: number, source: string) {
    this.transaction = transaction
    this.run = run
    this.source = source
    this.sets = setIds(transaction)
    this.statements = statementIds(transaction)
  }

  async open(): Promise<void> {
    await this.transaction.raw(`
      create temp table stage (
        ordinal integer, native_id text, sku text, digest text, row json, statement_id integer, reason text, is_new boolean default false
      ) on commit drop`)
    // Indexes to find what earlier staged rows of this run claim. Rows that are only noted are in the observations.
    for (const column of ['native_id', 'sku'])
      await this.transaction.raw(`create index on stage (${column}) where row is not null`)
    const { rows: games } = await this.transaction.raw<{ rows: { token: string }[] }>('select token from games')
    const { rows: own } = await this.transaction.raw<{ rows: unknown[] }>(
      'select from observations where source = ? limit 1',
      [this.source]
    )
    this.games = own.length === 0 ? new Set(games.map(({ token }) => token)) : undefined
    await openTouched(this.transaction, this.run)
    // Each batch looks up its keys by index. The planner would choose sequential scans, because the table grows during
    // the import and its statistics are outdated.
    await this.transaction.raw('set local enable_seqscan = off')
    // Starting a parallel worker takes longer than such a query. The sorts of the final settling fit into a `work_mem`
    // of 64 MB.
    await this.transaction.raw('set local max_parallel_workers_per_gather = 0')
    await this.transaction.raw("set local work_mem = '64MB'")
  }

  /**
   * Appends the COPY lines of a row to `bytes` and returns their places, if most rows are expected to be new.
   * `attributes`: their canonical text.
   */
  likely(row: Written, statement: CardStatement, attributes: string, bytes: Bytes): Lines | undefined {
    return this.expectsNew ? this.linesOf(row, statement, attributes, bytes) : undefined
  }

  async take(rows: readonly StagedRow[]): Promise<void> {
    const mapped = rows.filter(row => 'sku' in row)
    const held = await this.heldOf(mapped.filter(row => this.mayBeHeld(row)))
    const byNative = new Map(held.filter(({ source }) => source === this.source).map(one => [one.native_id, one]))
    const taken = new Set(held.filter(({ source }) => source === this.source).map(({ sku }) => sku))
    const observed = new Set(held.map(({ sku }) => sku))
    const [fresh, doubtful] = [new Set<StagedCard>(), new Set<StagedCard>()]
    for (const row of mapped) {
      const before = byNative.get(row.nativeId)
      if (before === undefined && !taken.has(row.sku)) {
        fresh.add(row)
      } else if (before?.sku !== row.sku || before.digest !== row.digest) {
        doubtful.add(row)
      }
      if (before === undefined)
        byNative.set(row.nativeId, { source: this.source, native_id: row.nativeId, sku: row.sku, digest: row.digest })
      taken.add(row.sku)
    }
    const statements = await this.statements.of([...fresh, ...doubtful].map(({ setStatement }) => setStatement))
    await this.stage(
      rows.filter(row => 'reason' in row || !fresh.has(row)),
      row => (doubtful.has(row) ? [row.text, statements.get(row.setStatement) ?? null] : [null, null])
    )
    if (fresh.size > 0) await this.write([...fresh], statements, observed)
    this.fresh += fresh.size
    this.expectsNew = fresh.size * 2 > mapped.length
  }

  /**
   * Adds the sets of rows written at once, and those in which they came, to `touched_sets`, and allows sequential scans
   * again.
   */
  async close(): Promise<void> {
    await this.transaction.raw('insert into touched_sets select unnest(?::int[])', [[...this.used]])
    await this.transaction.raw('set local enable_seqscan = on')
    await this.transaction.raw(
      `insert into touched_sets select distinct s.id from cards c ${joinPrintedIn} where c.set_id = any(?::int[]) on conflict do nothing`,
      [[...this.used]]
    )
  }

  private linesOf(
    { nativeId, sku, digest, text }: Written,
    statement: CardStatement,
    attributes: string | undefined,
    bytes: Bytes
  ): Lines {
    const from = bytes.length
    bytes.add(copyLine([this.source, nativeId, sku, digest, text, this.run, gameOf(sku)]))
    const middle = bytes.length
    bytes.add(copyLine(writtenValues(mergeCard(sku, [statement], [this.source]), attributes)))
    return { bytes, from, middle, to: bytes.length }
  }

  /** Copies rows to `stage`; `kept` returns the text and statement id of a row that may have to be written. */
  private async stage(rows: readonly StagedRow[], kept: (row: StagedCard) => readonly CopyValue[]): Promise<void> {
    if (rows.length === 0) return
    await copyInto(
      this.transaction,
      'stage',
      ['ordinal', 'native_id', 'sku', 'digest', 'row', 'statement_id', 'reason'],
      rows.map(row =>
        'reason' in row
          ? [row.ordinal, row.nativeId, null, null, null, null, row.reason]
          : [row.ordinal, row.nativeId, row.sku, row.digest, ...kept(row), null]
      )
    )
  }

  private async write(
    fresh: readonly StagedCard[],
    statements: ReadonlyMap<string, number>,
    observed: ReadonlySet<string>
  ): Promise<void> {
    const { transaction } = this
    const later = new Bytes(0)
    const lines = fresh.map(
      row => row.lines ?? this.linesOf(row, JSON.parse(row.text) as CardStatement, undefined, later)
    )
    await copyInto(
      transaction,
      'observations',
      ['source', 'native_id', 'sku', 'digest', 'row', 'from_run', 'game', 'statement_id'],
      lines.map(({ bytes, from, middle }, index) => ({
        bytes,
        from,
        to: middle,
        rest: String(statements.get(fresh[index]?.setStatement ?? '') ?? '')
      }))
    )
    // A card that other sources also observe is derived from all statements later.
    const shared = fresh.filter(({ sku }) => observed.has(sku))
    const ids = await this.sets.of(fresh.filter(({ sku }) => !observed.has(sku)).map(({ set }) => set))
    const cards: StartedLine[] = []
    for (const [index, { bytes, middle, to }] of lines.entries()) {
      const { sku = '', set = '' } = fresh[index] ?? {}
      if (observed.has(sku)) continue
      const id = ids.get(set)
      if (id === undefined) throw new Error(`The set of \`${sku}\` has no id.`)
      this.used.add(id)
      cards.push({ bytes, from: middle, to, rest: String(id) })
    }
    if (cards.length > 0) await copyInto(transaction, 'cards', [...writtenColumns, 'set_id'], cards)
    if (shared.length > 0)
      await transaction.raw('insert into touched select unnest(?::text[]) on conflict do nothing', [
        shared.map(({ sku }) => sku)
      ])
  }

  /**
   * Whether the native id or SKU of a row may already be in an observation. In a first import, most rows are known to
   * be new without a query.
   */
  private mayBeHeld({ nativeId, sku }: StagedCard): boolean {
    if (this.games === undefined) return true
    const [wasId, wasSku] = [this.seen.add(nativeId), this.seen.add(sku)]
    return wasId || wasSku || this.games.has(gameOf(sku))
  }

  /**
   * Returns the observations with these native ids (in this source) or SKUs (in all sources), and the staged rows of
   * this run that have one of them.
   */
  private async heldOf(rows: readonly StagedCard[]): Promise<readonly Held[]> {
    if (rows.length === 0) return []
    const [natives, skus] = [rows.map(({ nativeId }) => nativeId), rows.map(({ sku }) => sku)]
    const { rows: held } = await this.transaction.raw<{ rows: Held[] }>(
      `
      select source, native_id, sku, digest from observations where source = ? and native_id = any(?)
      union all select source, native_id, sku, digest from observations where sku = any(?)
      union all select ?, native_id, sku, digest from stage where native_id = any(?) and row is not null
      union all select ?, native_id, sku, digest from stage where sku = any(?) and row is not null`,
      [this.source, natives, skus, this.source, natives, this.source, skus]
    )
    return held
  }
}
