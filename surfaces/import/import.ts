import { commit, type Database, type Transaction } from 'pantry/database'
import { markChanged, takeTurn } from '../catalogue/write-turn.ts'
import { declareSets } from './writing/declare-sets.ts'
import { derive } from './writing/derive.ts'
import { observe, type Observation } from './writing/observe.ts'
import { precedenceOf } from './writing/precedence.ts'
import type { Projection } from './projection.ts'
import type { LookAlike } from './reading/look-alikes.ts'
import { refusalOf } from './refusal.ts'
import { documentForm, snapshotDigest } from './snapshot.ts'
import type { Reader, Source } from './source.ts'
import { Surveyor, type Survey } from './report/survey.ts'
import { checkWithdrawals, recordWithdrawals, type Withdrawals } from './writing/withdraw.ts'

/** How far an import is: rows read so far, and the done part of the whole (0 to 1). */
export type Progress = (state: Readonly<{ source: string; rows: number; fraction: number }>) => void

type ImportOptions = Readonly<{
  /** Folder the paths of the reader are relative to. */
  folder: string
  progress?: Progress
  /** Does everything and rolls it back. */
  dryRun?: boolean
  /** The operator's word that what the upstream asks for is done. */
  conditionsMet?: boolean
  /** The operator's word that so many cards may be withdrawn. */
  allowWithdraw?: number
}>

/** Why rows are quarantined, with the first of them. */
export type Refusal = Readonly<{
  reason: string
  rows: number
  examples: readonly Readonly<{ native_id: string; other_native_id: string | null; sku: string | null }>[]
}>

/** Of the rows read, each was written, unchanged or quarantined. */
export type RunSummary = Readonly<{
  run: number
  source: string
  snapshot: string
  read: number
  written: number
  unchanged: number
  quarantined: number
  duration_ms: number
  refusals: readonly Refusal[]
  withdrawals: Withdrawals
  /**
   * What looked like a thing that is never kept in so few rows that these alone were left out; none of it is stored.
   */
  look_alikes: readonly LookAlike[]
  /** What a dry run has seen. */
  survey?: Survey
}>

/** Rows are written as they are read; settling, and deriving what they change, takes about a quarter more. */
const readingShare = 0.8

function readerOf(source: Source, conditionsMet: boolean | undefined): Reader {
  const reason = refusalOf(source, conditionsMet === true)
  if (reason !== undefined || source.reader === undefined) throw new Error(reason)
  return source.reader
}

async function refusalsOf(transaction: Transaction, run: number): Promise<readonly Refusal[]> {
  const { rows } = await transaction.raw<{ rows: Refusal[] }>(
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
 * Imports one source: all of its snapshot or nothing, in one transaction. Refuses a source that is not wired, or asks
 * for something that is not done, before anything is read. What is held afterwards follows from the snapshot, whatever
 * was imported before. A card that no source observes any more is withdrawn; where these are more than may go without a
 * word, it throws a TooManyWithdrawn, but for a dry run. A second run of the same snapshot writes nothing but itself,
 * its quarantine and what it declares of sets. A run that was killed counts as failed from the next import on.
 */
export type ImportSource = (
  database: Pick<Database, 'bulk'>,
  source: Source,
  options: ImportOptions
) => Promise<RunSummary>

/** The import of one source; what follows from cards is derived by the given projections. */
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
      await takeTurn(transaction)
      const records = dryRun ? transaction : database.bulk
      // Who holds the lock knows that no other run is alive.
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
      await markChanged(transaction)
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
      // When this fails as well the next import marks the run.
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
 * Where the run before this one stored documents of another form, or spoke at another place, all of the source's cards
 * are derived again.
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

/** How many rows that were not written as they were read differ from what was held, or changed their card. */
async function countWritten(transaction: Transaction): Promise<number> {
  const {
    rows: [changes]
  } = await transaction.raw<{ rows: { written: number }[] }>(`
    select count(*)::int as written from kept k
    where not is_new and ((k.held_digest, k.held_sku) is distinct from (k.digest, k.sku) or exists (select from changed c where c.sku = k.sku))`)
  return changes?.written ?? 0
}

/**
 * Gives the planner a rough picture of the tables for the rest of the import; the server draws a fine one later, and
 * sees to it itself when few rows are new.
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
  observation: Omit<Observation, 'report'>,
  options: ImportOptions
): Promise<Pick<RunSummary, 'read' | 'written' | 'unchanged' | 'quarantined' | 'withdrawals' | 'look_alikes'>> {
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
    look_alikes: [...observed.lookAlikes, ...ofSets]
  }
}
