/**
 * The process that holds the cluster of one test run: `cluster-holder <folder> <process id of the runner>`. Started by
 * cluster.ts.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from './migrations.ts'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { startEmbedded } from '../../core/database/embedded.ts'
import { openPool } from '../../core/database/pool.ts'
import { isAlive, templates } from './cluster.ts'

const [folder = '', runner = ''] = process.argv.slice(2)

/** Written under another name first: whoever sees the file sees all of it. */
function publish(name: string, text: string): void {
  writeFileSync(join(folder, `${name}.part`), text)
  renameSync(join(folder, `${name}.part`), join(folder, name))
}

/** Starts the cluster, makes the template, says where both are; returns how to stop. */
async function open(): Promise<() => Promise<void>> {
  // Nothing of a test outlives it, so nothing is waited for to reach the disk.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_connections: '400'
  }
  const server = await startEmbedded({ dataDir: join(folder, 'data'), log: silent, settings })
  const admin = openPool(server.connection, bulkLimits, 1, silent)
  await admin.raw(`create database ${templates.migrated} template ${templates.empty} strategy file_copy`)
  await admin.destroy()
  const template = openPool({ ...server.connection, database: templates.migrated }, bulkLimits, 1, silent)
  await migrate(template)
  await template.destroy()
  publish('ready.json', JSON.stringify(server.connection))
  return server.stop
}

publish('holder.pid', String(process.pid))
const stop = await open().catch((error: unknown) => {
  publish('failed.txt', error instanceof Error ? (error.stack ?? error.message) : String(error))
  return () => Promise.resolve()
})
const watch = setInterval(() => {
  if (isAlive(Number(runner))) return
  clearInterval(watch)
  void stop().then(() => {
    rmSync(folder, { recursive: true, force: true })
  })
}, 200)
