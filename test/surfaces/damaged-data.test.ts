import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { openPool } from '../../core/database/pool.ts'
import { CatalogueCache } from '../../surfaces/cards/kept.ts'
import { openCatalogue } from '../../surfaces/cards/open.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { runCluster } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const page = 8_192

/**
 * A copy of the bundled cards in which one bit of every page of a table is another. The server has not read it yet, so
 * it has no better copy in memory.
 */
async function damagedDatabase(t: Test, table: string): Promise<string> {
  const { url } = await bundledDatabase(t)
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = openPool(await runCluster(), bulkLimits, 1, silent)
  t.teardown(async () => {
    await admin.raw(`drop database if exists ${name} with (force)`)
    await admin.destroy()
  })
  const source = openPool({ url }, bulkLimits, 1, silent)
  const {
    rows: [relation]
  } = await source.raw<{ rows: { file: string }[] }>('select pg_relation_filenode(?::regclass)::text as file', [table])
  await source.destroy()
  await admin.raw(`create database ${name} template ${new URL(url).pathname.slice(1)} strategy = file_copy`)
  const {
    rows: [place]
  } = await admin.raw<{ rows: { folder: string; oid: string }[] }>(
    "select current_setting('data_directory') as folder, oid::text from pg_database where datname = ?",
    [name]
  )
  const file = join(place?.folder ?? '', 'base', place?.oid ?? '', relation?.file ?? '')
  const bytes = readFileSync(file)
  for (let at = page / 2; at < bytes.length; at += page) bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
  return url.replace(/[^/]*$/, name)
}

t.test('data that the disk has damaged is a typed 503, and health says so', async t => {
  const url = await damagedDatabase(t, 'cards')
  const told: string[] = []
  const database = await openDatabase({
    url,
    dataDir: '',
    log: {
      ...silent,
      error: message => {
        told.push(message)
      }
    }
  })
  t.teardown(() => database.close())
  const { health } = openCatalogue(database, new CatalogueCache(database), 'x/universal/v1', () => undefined)
  t.match(await health.catalogue(), { status: 'down' }, 'health reads what it vouches for')
  t.match(await database.health(), { status: 'down', detail: /cannot read some of what it stored/ })
  await health.catalogue()
  t.equal(told.length, 1, 'told once, however often it is met')
  t.match(told[0], /invalid page|checksum/i)

  const faults: unknown[] = []
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url, isAway: true, faults }))
  // A reader that is not connected yet says to come back in a second.
  await eventually(async () => {
    if ((await get('/api/v1/universal/card/op-op01-001-en')).headers.get('retry-after') === '1')
      throw new Error('the readers are not connected yet')
  })
  for (const path of ['/api/v1/universal/card/op-op01-001-en', '/api/v1/cards/random', '/api/v1/search/names?q=zoro']) {
    const answer = await get(path)
    t.equal(answer.status, 503, path)
    t.equal(answer.headers.get('retry-after'), '300', path)
    t.match(await answer.json(), { error: { code: 'SOURCE_UNAVAILABLE', message: /cannot be read/ } }, path)
  }
  t.same(faults, [], 'no fault of ours')
})
