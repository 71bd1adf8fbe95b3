import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { openPool } from '../../core/database/pool.ts'
import { importBundled } from '../../surfaces/importer.ts'
import type { Attribute } from '../../surfaces/cards/attributes.ts'
import { loadSources } from '../../surfaces/import/open.ts'
import { runCluster, templates } from './cluster.ts'
import { registryOf } from './registry.ts'

const template = 'pantry_bundled'
const lock = 7_241_953_007

const urlOf = ({ user, host, port }: Awaited<ReturnType<typeof runCluster>>, name: string): string =>
  `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`

/**
 * A database of its own with all bundled cards in it: imported once in a test run, copied for each test file that asks.
 */
export async function bundledDatabase(t: Pick<Test, 'teardown'>): Promise<{ url: string }> {
  const cluster = await runCluster()
  const admin = openPool(cluster, bulkLimits, 2, silent)
  // A transaction keeps its connection, and so the lock, however long the import takes; an idle connection would be
  // closed.
  const holding = await admin.transaction()
  const name = `test_${randomBytes(8).toString('hex')}`
  t.teardown(async () => {
    await admin.raw(`drop database if exists ${name} with (force)`)
    await admin.destroy()
  })
  try {
    await holding.raw('select pg_advisory_xact_lock(?)', [lock])
    const { rows } = await admin.raw<{ rows: unknown[] }>('select 1 from pg_database where datname = ?', [template])
    if (rows.length === 0) {
      const unfinished = `${template}_unfinished`
      await admin.raw(`drop database if exists ${unfinished} with (force)`)
      await admin.raw(`create database ${unfinished} template ${templates.migrated} strategy file_copy`)
      await importInto(urlOf(cluster, unfinished))
      await admin.raw(`alter database ${unfinished} rename to ${template}`)
    }
    await admin.raw(`create database ${name} template ${template} strategy file_copy`)
  } finally {
    await holding.commit()
  }
  return { url: urlOf(cluster, name) }
}

/** Brings a migrated database to what a first start makes of it. */
export async function importInto(url: string, pooler?: 'transaction'): Promise<void> {
  const { registry } = await registryOf()
  const database = await openDatabase({ url, pooler, dataDir: '', log: silent, checkRows: true, isPatient: true })
  try {
    await importBundled(
      database,
      loadSources(
        registry.corpora.get('sources')?.entries ?? [],
        registry.corpora.get('source-policies')?.entries ?? [],
        registry.corpora.get('attributes')?.entries as readonly Attribute[] | undefined
      ).values(),
      {}
    )
  } finally {
    await database.close()
  }
}
