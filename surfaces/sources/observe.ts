import { sha256Hex } from '../../core/canonical/canonical-json.ts'
import { copyInto, type CopyValue, type Transaction } from '../database/copy.ts'
import { readSource } from './read-source.ts'
import type { Reader } from './source.ts'
import type { Surveyor } from './survey.ts'

export type Observed = Readonly<{ read: number, kept: number, quarantined: number }>
type Counts = Readonly<{ read: number, kept: number, reason: string | null }>

/** Quarantine reasons of rows that could be mapped; a row that could not carries the mapper's own. */
const repeatedRow = 'The native id stands twice in this source, and nothing that is kept differs.'
const repeatedId = 'The native id stands twice in this source, for rows that differ.'
const takenSku = 'Another row of this source has the same SKU.'

export type Observation = Readonly<{
  run: number
  source: string
  reader: Reader
  folder: string
  report: (rows: number, fraction: number) => void
  surveyor?: Surveyor | undefined
}>

async function * stagedRows ({ reader, folder, report, surveyor }: Observation): AsyncGenerator<CopyValue[]> {
  let ordinal = 0
  for await (const row of readSource(reader, folder, path => { surveyor?.passOver(path) })) {
    const { mapped, fraction } = row
    ordinal += 1
    surveyor?.see(row)
    const nativeId = mapped.nativeId === '' ? `row ${ordinal}` : mapped.nativeId
    if ('reason' in mapped) {
      yield [ordinal, nativeId, null, null, null, mapped.reason]
    } else {
      // Declared fields in declared order: the plain text is as good a base for a digest as the canonical one, and costs a fifth.
      const text = JSON.stringify(mapped.row)
      yield [ordinal, nativeId, mapped.sku, sha256Hex(text), text, null]
    }
    report(ordinal, fraction)
  }
}

/**
 * Reads a source into its observations, and leaves the temporary tables `kept` (the rows that became observations, with what was
 * held before) and `touched` (every SKU whose card may have to change).
 *
 * Of rows with one native id, and of rows with one SKU, one is kept and the others go to the quarantine: the row that was already held,
 * else the first. So the same files always give the same result, and a reordered file changes nothing.
 */
export async function observe (transaction: Transaction, observation: Observation): Promise<Observed> {
  const { run, source } = observation
  await transaction.raw('create temp table stage (ordinal integer, native_id text, sku text, digest text, row jsonb, reason text) on commit drop')
  await copyInto(transaction, 'stage', ['ordinal', 'native_id', 'sku', 'digest', 'row', 'reason'], stagedRows(observation))
  await transaction.raw('analyze stage (ordinal, native_id, sku)')
  await transaction.raw(`
    create temp table ranked on commit drop as
    select s.ordinal, s.native_id, s.sku, s.digest, o.sku as held_sku, o.digest as held_digest,
      row_number() over (partition by s.native_id order by o.digest is distinct from s.digest, s.ordinal) as turn
    from stage s left join observations o on o.source = ? and o.native_id = s.native_id
    where s.reason is null`, [source])
  await transaction.raw(`
    create temp table placed on commit drop as
    select r.*, row_number() over same as place, first_value(native_id) over same as holder
    from ranked r where turn = 1
    window same as (partition by sku order by held_sku is distinct from sku, ordinal)`)
  await transaction.raw('create temp table kept on commit drop as select ordinal, native_id, sku, digest, held_sku, held_digest from placed where place = 1')
  await transaction.raw(`
    insert into quarantine (run, source, native_id, other_native_id, sku, reason)
    select ?::bigint, ?, native_id, other, sku, reason from (
      select ordinal, native_id, null as other, sku, reason from stage where reason is not null
      union all
      select r.ordinal, r.native_id, f.native_id, r.sku, case when r.digest = f.digest then ? else ? end
      from ranked r join ranked f on f.native_id = r.native_id and f.turn = 1 where r.turn > 1
      union all
      select ordinal, native_id, holder, sku, ? from placed where place > 1
    ) refused order by ordinal`, [run, source, repeatedRow, repeatedId, takenSku])
  await transaction.raw(`
    insert into observations (source, native_id, sku, digest, row, first_run, last_run, first_seen_at, last_seen_at)
    select ?, k.native_id, k.sku, k.digest, s.row, ?::bigint, ?::bigint, now(), now() from kept k join stage s using (ordinal)
    on conflict (source, native_id) do update
    set sku = excluded.sku, digest = excluded.digest, row = excluded.row, last_run = excluded.last_run, last_seen_at = excluded.last_seen_at`, [source, run, run])
  await transaction.raw(`
    create temp table touched on commit drop as
    select sku from observations where source = ? union select held_sku from kept where held_sku is not null`, [source])
  await transaction.raw('analyze kept, touched')
  const { rows: [counts] } = await transaction.raw<{ rows: Counts[] }>(`
    select (select count(*)::int from stage) as read, (select count(*)::int from kept) as kept,
      (select reason from stage where reason is not null order by ordinal limit 1) as reason`)
  const { read = 0, kept = 0, reason = null } = counts ?? {}
  // A snapshot without one usable row is a wrong folder or a changed upstream, not an empty game: what is held stays.
  if (kept === 0) throw new Error(`Source \`${source}\`: none of ${read} rows could be kept. ${reason ?? 'There were no rows.'}`)
  return { read, kept, quarantined: read - kept }
}
