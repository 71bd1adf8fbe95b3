import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { canonicalize, sha256Hex } from 'pantry/data'
import { Bytes, type Transaction } from 'pantry/database'
import { statedFields } from '../../cards/card-fields.ts'
import { DataError, placeOfReason } from '../data-error.ts'
import type { LookAlike } from '../reading/look-alikes.ts'
import type { Mapped, MappedRow, Rejected, RowRules, SetStatement } from '../reading/map-row.ts'
import { OddAttributes, type OddAttribute } from '../reading/odd-attributes.ts'
import { readSource } from '../reading/read-source.ts'
import type { SourceReader } from '../source.ts'
import type { Surveyor } from '../survey.ts'
import { BatchWriter, setKey, type StagedRow } from './batch-writer.ts'

/**
 * Quarantine reasons for rows that could be mapped. Other rows have a reason from `compileMap` or from the reader of
 * their file.
 */
export const repeatedRow = 'Another row of this source has the same id, and both say the same of what is kept.'
const repeatedId = 'Another row of this source has the same id, and the two differ.'
const takenSku = 'Another row of this source has the same SKU.'

/** The counts of rows read; `fresh`: how many of the kept rows are new to the source. */
export type Observed = Readonly<{
  read: number
  kept: number
  fresh: number
  quarantined: number
  lookAlikes: readonly LookAlike[]
  oddAttributes: readonly OddAttribute[]
}>
/** How many of the rows that were not written at once are kept, and the reason why the first unmappable row is not. */
type Settled = Readonly<{ settled: number; reason: string | null }>

const batchSize = 2_000
/** The initial size of the memory for the lines of a batch, in bytes. */
const batchBytes = 2 ** 22
const rowsInTurn = 16
/** The number of batches that are read ahead while the database works. */
const batchesAhead = 2

export type ObserveOptions = Readonly<{
  run: number
  source: string
  reader: SourceReader
  /** The games, languages and attributes that rows must match. */
  rules: RowRules
  folder: string
  report: (rows: number, fraction: number) => void
  surveyor?: Surveyor | undefined
}>

type Batch = Readonly<{ rows: readonly StagedRow[]; fraction: number }>

/**
 * Returns the JSON text of a row's `CardStatement`; `attributes` is their canonical text. A fixed order of fields gives
 * as stable a digest as canonical JSON, at a fifth of the cost.
 */
function textOf(row: MappedRow, attributes: string): string {
  let text = ''
  for (const [field, before] of stated) {
    const value = row[field]
    text +=
      before +
      (field === 'attributes'
        ? attributes
        : value === null
          ? 'null'
          : typeof value === 'string'
            ? canonicalize(value)
            : JSON.stringify(value))
  }
  return `${text}}`
}
/** The fields, each with the JSON text that precedes its value. */
const stated = statedFields.map((field, index) => [field, `${index === 0 ? '{' : ','}"${field}":`] as const)

/**
 * Returns a function that gives the JSON text of a set statement. Consecutive rows usually belong to the same set, so
 * the last text is reused.
 */
function statementTexts(): (set: SetStatement) => string {
  let latest: SetStatement | undefined
  let text = ''
  return set => {
    const isSame =
      latest?.name === set.name &&
      latest.released_on === set.released_on &&
      latest.released_note === set.released_note &&
      latest.declared_total === set.declared_total &&
      latest.name_translations === null &&
      set.name_translations === null
    if (!isSame) text = JSON.stringify(set)
    latest = set
    return text
  }
}

function stagedOf(
  mapped: Mapped | Rejected,
  ordinal: number,
  statementText: ReturnType<typeof statementTexts>,
  writer: BatchWriter,
  bytes: Bytes
): StagedRow {
  const nativeId = mapped.nativeId === '' ? `row ${ordinal}` : mapped.nativeId
  if ('reason' in mapped) return { ordinal, nativeId, reason: mapped.reason }
  const { sku, row } = mapped
  const attributes = canonicalize(row.attributes)
  const [text, setStatement] = [textOf(row, attributes), statementText(row.set)]
  const digest = sha256Hex(text + setStatement)
  return {
    ordinal,
    nativeId,
    sku,
    digest,
    set: setKey(row.game, row.set_code),
    text,
    setStatement,
    lines: writer.likely({ nativeId, sku, digest, text }, row, attributes, bytes)
  }
}

async function* batches(
  { reader, rules, folder, surveyor }: ObserveOptions,
  writer: BatchWriter,
  odd: OddAttributes,
  leaveOut: (found: readonly LookAlike[]) => void
): AsyncGenerator<Batch> {
  const statementText = statementTexts()
  let ordinal = 0
  let rows: StagedRow[] = []
  let bytes = new Bytes(batchBytes)
  for await (const { rows: found, path, fraction } of readSource(reader, folder, {
    rules,
    leaveOut,
    uses: surveyor?.uses,
    passOver: path => {
      surveyor?.passOver(path)
    },
    lose: loop => {
      surveyor?.lose(loop)
    }
  })) {
    for (const mapped of found) {
      ordinal += 1
      surveyor?.see(mapped, path)
      if ('row' in mapped) for (const one of mapped.odd ?? []) odd.see(mapped.nativeId, one)
      // The source yields rows without returning to the event loop. Without this pause, responses of the database would
      // wait for the end of the batch.
      if (ordinal % rowsInTurn === 0) await turn()
      rows.push(stagedOf(mapped, ordinal, statementText, writer, bytes))
      if (rows.length < batchSize) continue
      yield { rows, fraction }
      rows = []
      bytes = new Bytes(batchBytes)
    }
  }
  if (rows.length > 0) yield { rows, fraction: 1 }
}

/**
 * Reads a source into its observations and creates temporary tables: `kept` (rows that are observations, with what was
 * stored before; rows written on first reading are in it, as `is_new`, only if others conflict with them), `touched`
 * (SKUs whose cards may change) and `touched_sets` (ids of the sets of new cards).
 *
 * Of rows with one native id the first counts, and of those with one SKU the first is kept; the others are quarantined.
 * Earlier data does not influence this, so the same files always give the same result.
 */
export async function observe(transaction: Transaction, observation: ObserveOptions): Promise<Observed> {
  const { run, source, reader, report } = observation
  const writer = new BatchWriter(transaction, run, source)
  await writer.open()
  let count = 0
  const odd = new OddAttributes()
  let lookAlikes: readonly LookAlike[] = []
  for await (const { rows, fraction } of Readable.from(
    batches(observation, writer, odd, found => {
      lookAlikes = found
    }),
    { highWaterMark: batchesAhead }
  ) as AsyncIterable<Batch>) {
    await writer.take(rows)
    count += rows.length
    report(count, fraction)
  }
  await writer.close()
  const { settled, reason } = await settle(transaction, run, source)
  const kept = writer.fresh + settled
  // A snapshot without a usable row means a wrong folder or a changed upstream, so this throws and stored data stays.
  if (kept === 0)
    throw new DataError([
      {
        pointer: reason === null ? ['reader', 'rows'] : placeOfReason(reader.map, reason),
        message: `None of ${count} rows could be kept. ${reason ?? 'There were no rows.'}`
      }
    ])
  return { read: count, kept, fresh: writer.fresh, quarantined: count - kept, lookAlikes, oddAttributes: odd.result() }
}

async function settle(transaction: Transaction, run: number, source: string): Promise<Settled> {
  await transaction.raw('analyze stage (ordinal, native_id, sku)')
  // Rows already written by this run come before the rows that conflict with them.
  await transaction.raw(
    `
    insert into stage (ordinal, native_id, sku, digest, is_new)
    select 0, native_id, sku, digest, true from (
      select o.native_id, o.sku, o.digest from stage s join observations o on o.source = ? and o.from_run = ?::bigint and o.native_id = s.native_id
      union select o.native_id, o.sku, o.digest from stage s join observations o on o.source = ? and o.from_run = ?::bigint and o.sku = s.sku
    ) o`,
    [source, run, source, run]
  )
  // All staged rows are joined with all observations of the source. New rows have no statistics yet, so the planner
  // would choose a nested loop.
  await transaction.raw('set local enable_nestloop = off')
  await transaction.raw(
    `
    create temp table ranked on commit drop as
    select s.ordinal, s.native_id, s.sku, s.digest, s.is_new, o.sku as held_sku, o.digest as held_digest,
      row_number() over (partition by s.native_id order by s.ordinal) as turn
    from stage s left join observations o on o.source = ? and o.native_id = s.native_id
    where s.reason is null`,
    [source]
  )
  await transaction.raw(`
    create temp table placed on commit drop as
    select r.*, row_number() over same as place, first_value(native_id) over same as holder
    from ranked r where turn = 1
    window same as (partition by sku order by ordinal)`)
  await transaction.raw(`
    create temp table kept on commit drop as
    select ordinal, native_id, sku, digest, is_new, held_sku, held_digest from placed where place = 1`)
  // The quarantine holds only the latest run of a source; counts of earlier runs are in `runs`.
  await transaction.raw('delete from quarantine where source = ?', [source])
  await transaction.raw(
    `
    insert into quarantine (run, source, native_id, other_native_id, sku, reason)
    select ?::bigint, ?, native_id, other, sku, reason from (
      select ordinal, native_id, null as other, sku, reason from stage where reason is not null
      union all
      select r.ordinal, r.native_id, f.native_id, r.sku, case when r.digest = f.digest then ? else ? end
      from ranked r join ranked f on f.native_id = r.native_id and f.turn = 1 where r.turn > 1
      union all
      select ordinal, native_id, holder, sku, ? from placed where place > 1
    ) refused order by ordinal`,
    [run, source, repeatedRow, repeatedId, takenSku]
  )
  await updateSightings(transaction, run, source)
  await transaction.raw('set local enable_nestloop = on')
  const {
    rows: [settled]
  } = await transaction.raw<{ rows: Settled[] }>(`
    select (select count(*)::int from kept where not is_new) as settled, (select reason from stage where reason is not null order by ordinal limit 1) as reason`)
  return settled ?? { settled: 0, reason: null }
}

/**
 * Updates the observations of a source from the `kept` rows, except those already written by this run. A row that
 * vanished, is refused or moved to another SKU ends: its observation becomes a sighting that ends with this run. New
 * and changed rows are written. Every SKU whose card may change is added to the temporary table `touched`.
 */
async function updateSightings(transaction: Transaction, run: number, source: string): Promise<void> {
  await transaction.raw(`
    insert into touched
    select sku from kept where (held_digest, held_sku) is distinct from (digest, sku)
    on conflict do nothing`)
  // Versions before 0.2.0 kept observations that had ended, with `from_run` null: these become no sighting.
  await transaction.raw(
    `
    with ended as (
      delete from observations o
      where source = ? and from_run is distinct from ?::bigint and not exists (select from kept k where k.native_id = o.native_id and k.sku = o.sku)
      returning source, native_id, sku, from_run
    ), noted as (
      insert into touched select sku from ended on conflict do nothing
    ) insert into sightings (source, native_id, sku, from_run, until_run) select source, native_id, sku, from_run, ?::bigint from ended where from_run is not null`,
    [source, run, run]
  )
  await transaction.raw(
    `
    insert into observations as o (source, native_id, sku, game, digest, row, statement_id, from_run)
    select ?, k.native_id, k.sku, split_part(k.sku, '-', 1), k.digest, s.row, s.statement_id, ?::bigint from kept k join stage s using (ordinal)
    where (k.held_digest, k.held_sku) is distinct from (k.digest, k.sku)
    on conflict (source, native_id, game) do update
    set digest = excluded.digest, row = excluded.row, statement_id = excluded.statement_id`,
    [source, run]
  )
}
