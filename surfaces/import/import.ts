import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { hashCanonical, type JsonValue } from 'pantry/data'
import { commit, type Database, type Transaction } from 'pantry/database'
import { documentForm, bumpCatalogueVersion, lockCardWrites, type Projection } from '../cards/writing.ts'
import { readingProblem } from './data-error.ts'
import { filesOf, findFiles, packageFolder } from './reading/files.ts'
import type { LookAlike } from './reading/look-alikes.ts'
import type { OddAttribute } from './reading/odd-attributes.ts'
import { refusalOf, type Source, type SourceReader } from './source.ts'
import { Surveyor, type Survey } from './survey.ts'
import { declareSets } from './writing/declare-sets.ts'
import { derive, precedenceOf } from './writing/derive.ts'
import { observe, type ObserveOptions } from './writing/observe.ts'
import { checkWithdrawals, recordWithdrawals, type Withdrawals } from './writing/withdraw.ts'

async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Returns the lowercase hex SHA-256 over everything that determines what this version of the service imports: the
 * files, the declaration, the declared attributes, the precedence and the form of stored documents. Throws a DataError
 * when a file is missing.
 */
async function snapshotDigest(source: Source, reader: SourceReader, folder: string): Promise<string> {
  const digests: JsonValue[] = []
  // Files are hashed one after the other, because a source may have more files than a process may open.
  for (const { declared, pointer } of filesOf(reader)) {
    try {
      for (const { path, file } of await findFiles(folder, declared))
        digests.push([file['name'] ?? '', await fileDigest(path)])
    } catch (error) {
      throw readingProblem(error, pointer, declared.path)
    }
  }
  return hashCanonical({
    files: digests,
    reader: reader,
    rules: { games: source.games, languages: source.languages, attributes: source.attributes ?? [] },
    precedence: precedenceOf(source),
    document: documentForm
  })
}

/** Called with the progress of an import: the rows read so far, and the completed fraction (0 to 1). */
type ImportProgress = (state: Readonly<{ source: string; rows: number; fraction: number }>) => void

type ImportOptions = Readonly<{
  /** The folder to which the paths of the reader are relative. */
  folder: string
  progress?: ImportProgress
  /** Does the whole import and then rolls it back. */
  dryRun?: boolean
  /** Whether the operator states that the upstream's conditions are met. */
  conditionsMet?: boolean
  /** The number of cards that the operator allows to be withdrawn. */
  allowWithdraw?: number
}>

/** A reason why rows are quarantined, with the number of rows and the first three. */
type QuarantineReason = Readonly<{
  reason: string
  rows: number
  examples: readonly Readonly<{ native_id: string; other_native_id: string | null; sku: string | null }>[]
}>

/** The result of an import; each row read counts as written, unchanged or quarantined. */
export type ImportSummary = Readonly<{
  run: number
  source: string
  snapshot: string
  read: number
  written: number
  unchanged: number
  quarantined: number
  duration_ms: number
  refusals: readonly QuarantineReason[]
  withdrawals: Withdrawals
  /** Values that look like something never stored. They were in so few rows that only these rows were left out. */
  look_alikes: readonly LookAlike[]
  /** Attributes that cards were kept without, because their values are not allowed. */
  odd_attributes: readonly OddAttribute[]
  /** The statistics of a dry run. */
  survey?: Survey
}>

/**
 * The share of reading, during which rows are also written, in the progress of an import. Settling and deriving take
 * about a quarter of the time of reading.
 */
const readingShare = 0.8

function readerOf(source: Source, conditionsMet: boolean | undefined): SourceReader {
  const reason = refusalOf(source, conditionsMet === true)
  if (reason !== undefined || source.reader === undefined) throw new Error(reason)
  return source.reader
}

async function refusalsOf(transaction: Transaction, run: number): Promise<readonly QuarantineReason[]> {
  const { rows } = await transaction.raw<{ rows: QuarantineReason[] }>(
    `
    select reason, count(*)::int as rows,
      jsonb_agg(jsonb_build_object('native_id', native_id, 'other_native_id', other_native_id, 'sku', sku) order by id) filter (where turn <= 3) as examples
    from (select *, row_number() over (partition by reason order by id) as turn from quarantine where run = ?::bigint) q
    group by reason order by count(*) desc, reason collate "C"`,
    [run]
  )
  return rows
}

async function startRun(
  knex: Database['bulk'],
  source: Source,
  snapshot: string,
  conditionsMet: boolean | null
): Promise<number> {
  const {
    rows: [row]
  } = await knex.raw<{ rows: { id: number }[] }>(
    `
    insert into runs (source, status, started_at, snapshot, document_form, precedence, conditions_met) values (?, 'running', now(), ?, ?, ?, ?) returning id`,
    [source.id, snapshot, documentForm, precedenceOf(source), conditionsMet]
  )
  if (row === undefined) throw new Error('The run could not be recorded.')
  return row.id
}

/**
 * Imports one source in one transaction, so all of its snapshot or nothing. A source that is not wired, or has open
 * conditions without `conditionsMet`, is refused before anything is read. The observations stored afterwards depend
 * only on the snapshot, not on earlier imports. A card that no source observes any more is withdrawn; throws
 * TooManyWithdrawn when there are more than allowed, except in a dry run. A second import of the same snapshot writes
 * only its run, its quarantine, its declared sets and a new version of the catalogue. An import marks earlier runs that
 * were killed as failed.
 */
type ImportSource = (database: Pick<Database, 'bulk'>, source: Source, options: ImportOptions) => Promise<ImportSummary>

/** Returns a function that imports one source and then runs the given projections. */
export const sourceImporter =
  (projections: readonly Projection[]): ImportSource =>
  async (database, source, options) => {
    const { folder, dryRun = false } = options
    const started = performance.now()
    const reader = readerOf(source, options.conditionsMet)
    const surveyor = dryRun ? new Surveyor(reader) : undefined
    const snapshot = await snapshotDigest(source, reader, folder)
    const transaction = await database.bulk.transaction()
    let run = 0
    try {
      await lockCardWrites(transaction)
      const records = dryRun ? transaction : database.bulk
      // The lock is held, so no other import is running and every `running` record is left over.
      await records.raw("update runs set status = 'failed', finished_at = now() where status = 'running'")
      const word =
        source.conditions?.some(({ met }) => met === undefined) === true ? options.conditionsMet === true : null
      run = await startRun(records, source, snapshot, word)
      const counts = await write(
        transaction,
        projections,
        { run, source: source.id, reader, rules: source, folder, surveyor },
        options
      )
      await transaction.raw(
        `
      update runs set status = 'succeeded', finished_at = clock_timestamp(), rows_read = ?, rows_written = ?, rows_unchanged = ?, rows_quarantined = ?,
        duration_ms = ?
      where id = ?::bigint`,
        [
          counts.read,
          counts.written,
          counts.unchanged,
          counts.quarantined,
          Math.round(performance.now() - started),
          run
        ]
      )
      const refusals = await refusalsOf(transaction, run)
      await bumpCatalogueVersion(transaction)
      await (dryRun ? transaction.rollback() : commit(transaction))
      return {
        run,
        source: source.id,
        snapshot,
        ...counts,
        duration_ms: Math.round(performance.now() - started),
        refusals,
        ...(surveyor === undefined ? {} : { survey: surveyor.result() })
      }
    } catch (error) {
      await transaction.rollback().catch(() => undefined)
      // If this update fails too, the next import marks the run as failed.
      if (!dryRun)
        await database.bulk
          .raw("update runs set status = 'failed', finished_at = now() where id = ?::bigint and status = 'running'", [
            run
          ])
          .catch(() => undefined)
      throw error
    }
  }

/**
 * Adds all SKUs of the source to `touched`, so that their cards are derived again, if its last successful run stored
 * documents in another form or had another precedence.
 */
async function touchOld(transaction: Transaction, source: string, run: number): Promise<void> {
  await transaction.raw(
    `
    insert into touched select distinct o.sku from observations o
    where o.source = ? and exists (
      select from (select document_form, precedence from runs where source = ? and status = 'succeeded' order by id desc limit 1) l join runs r on r.id = ?::bigint
      where (l.document_form, l.precedence) is distinct from (r.document_form, r.precedence)
    ) on conflict do nothing`,
    [source, source, run]
  )
}

/** Counts the rows not written on first reading that differ from the stored ones or whose card changed. */
async function countWritten(transaction: Transaction): Promise<number> {
  const {
    rows: [changes]
  } = await transaction.raw<{ rows: { written: number }[] }>(`
    select count(*)::int as written from kept k
    where not is_new and ((k.held_digest, k.held_sku) is distinct from (k.digest, k.sku) or exists (select from changed c where c.sku = k.sku))`)
  return changes?.written ?? 0
}

/**
 * Updates the planner statistics coarsely for the rest of the import, if the new rows are more than a tenth of the
 * known observations. Autovacuum later computes precise ones, and handles smaller changes alone.
 */
async function analyze(transaction: Transaction, fresh: number): Promise<void> {
  const {
    rows: [table]
  } = await transaction.raw<{ rows: { rows: number }[] }>(
    "select reltuples::float8 as rows from pg_class where oid = 'observations'::regclass"
  )
  if (fresh * 10 <= Math.max(table?.rows ?? 0, 0)) return
  await transaction.raw('set local default_statistics_target = 10')
  await transaction.raw('analyze observations (source, native_id, sku), cards (sku, game, set_id), sets')
}

async function write(
  transaction: Transaction,
  projections: readonly Projection[],
  observation: Omit<ObserveOptions, 'report'>,
  options: ImportOptions
): Promise<
  Pick<
    ImportSummary,
    'read' | 'written' | 'unchanged' | 'quarantined' | 'withdrawals' | 'look_alikes' | 'odd_attributes'
  >
> {
  const { source, folder, reader, run } = observation
  const { progress = () => undefined, dryRun, allowWithdraw } = options
  let read = 0
  const observed = await observe(transaction, {
    ...observation,
    report: (rows, fraction) => {
      read = rows
      progress({ source, rows, fraction: fraction * readingShare })
    }
  })
  const ofSets = await declareSets(transaction, source, folder, reader)
  await touchOld(transaction, source, run)
  const withdrawals = await recordWithdrawals(transaction)
  if (dryRun !== true) await checkWithdrawals(transaction, source, run, withdrawals, allowWithdraw)
  await analyze(transaction, observed.fresh)
  await derive(transaction, projections, { source, run }, fraction => {
    progress({ source, rows: read, fraction: readingShare + fraction * (1 - readingShare) * 0.9 })
  })
  const written = observed.fresh + (await countWritten(transaction))
  progress({ source, rows: read, fraction: 1 })
  return {
    read: observed.read,
    written,
    unchanged: observed.kept - written,
    quarantined: observed.quarantined,
    withdrawals,
    look_alikes: [...observed.lookAlikes, ...ofSets],
    odd_attributes: observed.oddAttributes
  }
}

async function lastSnapshot(database: Pick<Database, 'bulk'>, source: string): Promise<string | null> {
  const {
    rows: [run]
  } = await database.bulk.raw<{ rows: { snapshot: string | null }[] }>(
    "select snapshot from runs where source = ? and status = 'succeeded' order by id desc limit 1",
    [source]
  )
  return run?.snapshot ?? null
}

/**
 * Imports the wired sources that come as packages and have no open condition, each only if its snapshot differs from
 * the last imported one. Returns the summaries of the imports. The number of withdrawn cards is not limited, because
 * the release was made with these packages.
 */
export type ImportBundled = (
  database: Pick<Database, 'bulk'>,
  sources: Iterable<Source>,
  options?: Readonly<{ progress?: ImportProgress }>
) => Promise<readonly ImportSummary[]>

export const bundledImporter =
  (importSource: ImportSource): ImportBundled =>
  async (database, sources, options = {}) => {
    const runs: ImportSummary[] = []
    for (const source of sources) {
      const { reader, upstream, where } = source
      if (
        where !== 'package' ||
        reader === undefined ||
        upstream.package === undefined ||
        refusalOf(source, false) !== undefined
      )
        continue
      const folder = packageFolder(upstream.package, import.meta.url)
      if ((await snapshotDigest(source, reader, folder)) !== (await lastSnapshot(database, source.id)))
        runs.push(await importSource(database, source, { folder, allowWithdraw: Infinity, ...options }))
    }
    return runs
  }
