import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { openPool } from '../../core/database/pool.ts'
import { runCluster, templates } from './cluster.ts'

/**
 * A database of its own for a test file, with all migrations done (or none: `empty`), dropped when `t` ends.
 * Call it once per file, at the top, and clean up between subtests; or once per subtest that needs a fresh one.
 * It waits as long as a command does, so that a busy machine fails nothing; a test of the time limits of requests sets
 * `isPatient` to false.
 */
export async function testDatabase(
  t: Pick<Test, 'teardown'>,
  template: keyof typeof templates = 'migrated',
  { isPatient = true }: { isPatient?: boolean } = {}
): Promise<{ database: Database; url: string }> {
  const cluster = await runCluster()
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = openPool(cluster, bulkLimits, 1, silent)
  await admin.raw(`create database ${name} template ${templates[template]} strategy file_copy`)
  const url = `postgresql://${cluster.user}@${encodeURIComponent(cluster.host)}:${cluster.port}/${name}`
  const database = await openDatabase({ url, dataDir: '', log: silent, checkRows: true, isPatient })
  t.teardown(async () => {
    await database.close()
    await admin.raw(`drop database if exists ${name} with (force)`)
    await admin.destroy()
  })
  return { database, url }
}

/**
 * The database at a URL, for a test that puts something into it: it waits longer than a request may, so that a busy
 * machine does not fail what asks about something else. Closed when `t` ends.
 */
export async function databaseAt(t: Pick<Test, 'teardown'>, url: string): Promise<Database> {
  const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
  t.teardown(async () => {
    await database.close()
  })
  return database
}
