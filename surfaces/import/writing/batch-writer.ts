import { Bytes, copyInto, copyLine, type CopyValue, type StartedLine, type Transaction } from 'pantry/database'
import { writtenColumns, writtenValues } from '../../catalogue/card-row.ts'
import { openTouched } from './derive.ts'
import { setIds, statementIds, type Ids } from './ids.ts'
import { mergeCard, type CardStatement } from './merge-observations.ts'
import { BloomFilter } from './bloom-filter.ts'

/** A row that was read: mapped, with the text it is kept as, or with the reason why it is not. */
export type StagedRow = Readonly<
  { ordinal: number; nativeId: string } & (
    | { reason: string }
    | { sku: string; digest: string; set: string; text: string; setStatement: string; lines?: Lines | undefined }
  )
>
/**
 * What is written of a new row, but for the numbers that only the database knows: its observation and its card, one
 * behind the other. As bytes, because batches wait for the database, and strings that wait are what collecting garbage
 * takes longest for.
 */
type Lines = Readonly<{ bytes: Bytes; from: number; middle: number; to: number }>
type MappedRow = Extract<StagedRow, { sku: string }>
type Written = Pick<MappedRow, 'nativeId' | 'sku' | 'digest' | 'text'>
type Held = Readonly<{ source: string; native_id: string; sku: string; digest: string }>

/**
 * Takes rows as they are read. A row whose native id and SKU neither its source holds nor an earlier row has is written
 * at once: the first row wins both. A row that is held unchanged is only noted. All others, and these notes, go to the
 * temporary table `stage`, to be settled at the end. Most rows of a first import never see it.
 */
export class BatchWriter {
  /** How many rows were written at once. */
  fresh = 0
  private readonly transaction: Transaction
  private readonly run: number
  private readonly source: string
  private readonly sets: Ids
  private readonly statements: Ids
  /** Ids of the sets of what was written at once. */
  private readonly used = new Set<number>()
  /** Games of which cards are held, while the source itself has no observation but those of this run. */
  private games: ReadonlySet<string> | undefined
  /** Native ids and SKUs of this run, as long as `games` are known. */
  private readonly seen = new BloomFilter()
  /**
   * Whether most rows are expected to be new: their lines are then made while they are read, when the database has
   * something to do.
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
    // What earlier rows claim; of rows that are only noted, the observations know.
    for (const column of ['native_id', 'sku'])
      await this.transaction.raw(`create index on stage (${column}) where row is not null`)
    const { rows: games } = await this.transaction.raw<{ rows: { token: string }[] }>('select token from games')
    const { rows: own } = await this.transaction.raw<{ rows: unknown[] }>(
      'select from observations where source = ? limit 1',
      [this.source]
    )
    this.games = own.length === 0 ? new Set(games.map(({ token }) => token)) : undefined
    await openTouched(this.transaction, this.run)
    // A batch looks up its own keys in what is held, however little the planner knows of a table that grows as it
    // reads.
    await this.transaction.raw('set local enable_seqscan = off')
    // A worker is slower to start than such a query is to run; what is settled at the end is sorted in memory.
    await this.transaction.raw('set local max_parallel_workers_per_gather = 0')
    await this.transaction.raw("set local work_mem = '64MB'")
  }

  /** The lines of a row, added to `bytes` if it is likely to be new. `attributes`: their canonical text. */
  likely(row: Written, statement: CardStatement, attributes: string, bytes: Bytes): Lines | undefined {
    return this.expectsNew ? this.linesOf(row, statement, attributes, bytes) : undefined
  }

  async take(rows: readonly StagedRow[]): Promise<void> {
    const mapped = rows.filter(row => 'sku' in row)
    const held = await this.heldOf(mapped.filter(row => this.mayBeHeld(row)))
    const byNative = new Map(held.filter(({ source }) => source === this.source).map(one => [one.native_id, one]))
    const taken = new Set(held.filter(({ source }) => source === this.source).map(({ sku }) => sku))
    const observed = new Set(held.map(({ sku }) => sku))
    const [fresh, doubtful] = [new Set<MappedRow>(), new Set<MappedRow>()]
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

  /** Notes what was written at once for what follows from it. */
  async close(): Promise<void> {
    await this.transaction.raw('insert into touched_sets select unnest(?::int[])', [[...this.used]])
    await this.transaction.raw('set local enable_seqscan = on')
  }

  private linesOf(
    { nativeId, sku, digest, text }: Written,
    statement: CardStatement,
    attributes: string | undefined,
    bytes: Bytes
  ): Lines {
    const from = bytes.length
    bytes.add(copyLine([this.source, nativeId, sku, digest, text, this.run]))
    const middle = bytes.length
    bytes.add(copyLine(writtenValues(mergeCard(sku, [statement], [this.source]), attributes)))
    return { bytes, from, middle, to: bytes.length }
  }

  /** `kept` gives what is kept of a row that may have to be written. */
  private async stage(rows: readonly StagedRow[], kept: (row: MappedRow) => readonly CopyValue[]): Promise<void> {
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
    fresh: readonly MappedRow[],
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
      ['source', 'native_id', 'sku', 'digest', 'row', 'from_run', 'statement_id'],
      lines.map(({ bytes, from, middle }, index) => ({
        bytes,
        from,
        to: middle,
        rest: String(statements.get(fresh[index]?.setStatement ?? '') ?? '')
      }))
    )
    // A card that others observe as well is what all of them say together.
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
   * Whether the native id or the SKU of a row may be in an observation; most rows of a first import are known without
   * asking.
   */
  private mayBeHeld({ nativeId, sku }: MappedRow): boolean {
    if (this.games === undefined) return true
    const [wasId, wasSku] = [this.seen.add(nativeId), this.seen.add(sku)]
    return wasId || wasSku || this.games.has(sku.slice(0, sku.indexOf('-')))
  }

  /** What is held of the native ids in this source, and of the SKUs in all, and what earlier rows of this run claim. */
  private async heldOf(rows: readonly MappedRow[]): Promise<readonly Held[]> {
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
