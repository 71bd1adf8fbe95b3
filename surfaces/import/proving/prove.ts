import { createHash } from 'node:crypto'
import { commit, type Database } from 'pantry/database'
import type { Source } from '../source.ts'
import { linesOf } from './held-rows.ts'
import { readAgain, type SecondReaderOptions, type Reading } from './second-reader.ts'

/** What the second reader found of a source. `digest`: SHA-256 of the lines that `sha256sum` prints of its files. */
export type Proving = Reading & Readonly<{ source: string; digest: string | null }>

type Options = SecondReaderOptions &
  Readonly<{
    /** The run and the snapshot whose rows are held. */
    run: number
    snapshot: string
    folder: string
  }>

/** Returns the SHA-256 of the lines that `sha256sum` prints of the files, sorted by path; null when there are none. */
function digestOf(files: Reading['files']): string | null {
  const lines = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, sha256]) => `${sha256}  ${path}\n`)
  return lines.length === 0 ? null : createHash('sha256').update(lines.join('')).digest('hex')
}

/**
 * Lets the second reader read the files of a source and compare all that is held of it, and records its answer instead
 * of the last one.
 */
export async function prove(
  { bulk }: Pick<Database, 'bulk'>,
  source: Source,
  { run, snapshot, folder, ...options }: Options
): Promise<Proving> {
  const transaction = await bulk.transaction({ isolationLevel: 'repeatable read' })
  try {
    const reading = await readAgain(linesOf(transaction, source, folder), options)
    const digest = digestOf(reading.files)
    await transaction.raw(
      `
      insert into source_proofs (source, run, snapshot, proved_at, verdict, reason, counts, files, digest)
      values (:source, :run, :snapshot, now(), :verdict, :reason, :counts, :files, :digest)
      on conflict (source) do update set run = excluded.run, snapshot = excluded.snapshot, proved_at = excluded.proved_at,
        verdict = excluded.verdict, reason = excluded.reason, counts = excluded.counts, files = excluded.files,
        digest = excluded.digest`,
      {
        source: source.id,
        run,
        snapshot,
        verdict: reading.verdict,
        reason: reading.reason,
        counts: JSON.stringify(reading.counts),
        files: JSON.stringify(reading.files),
        digest
      }
    )
    await commit(transaction)
    return { source: source.id, ...reading, digest }
  } catch (error) {
    await transaction.rollback().catch(() => undefined)
    throw error
  }
}
