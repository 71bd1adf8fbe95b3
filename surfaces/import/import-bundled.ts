import type { Database } from 'pantry/database'
import type { ImportSource, ImportProgress, ImportSummary } from './import.ts'
import { packageFolder } from './reading/find-files.ts'
import { refusalOf } from './refusal.ts'
import { snapshotDigest } from './snapshot.ts'
import type { Source } from './source.ts'

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
 * Imports the wired sources that come as packages, each only if its snapshot differs from the last imported one.
 * Returns the runs. The number of withdrawn cards is not limited, because the release was made with these packages.
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
