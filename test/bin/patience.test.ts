// test: long. Commands that wait for a server which is starting.
import assert from 'node:assert/strict'
import t from 'tap'
import { silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { pantry } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { holdBack, proxiedDatabase } from '../support/fault-proxy.ts'
import { scratchFolder } from '../support/scratch.ts'

// Waits as long as requests and the imports of a service wait for a connection.

const pause = { status: 503, code: 'SOURCE_UNAVAILABLE' }

t.test('commands wait for a connection that a service has given up', async t => {
  const { proxy, url } = await proxiedDatabase(t, (await bundledDatabase(t)).url)
  const letIn = await holdBack(proxy)
  const folder = scratchFolder(t)
  const commands = [
    ['migrate', 'status'],
    ['backup', `${folder}/pantry.backup.gz`],
    ['people', 'list'],
    ['import', '--forget', 'pokemon-tcg-pocket-database', '--dry-run'],
    ['get', '/api/v1/universal/games']
  ]
  const asked = Promise.all(commands.map(args => pantry(args, { DATABASE_URL: url, PANTRY_DATA_DIR: folder })))
  // As a service has it: opened when the first of the commands has come as far.
  await eventually(() => {
    assert.ok(proxy.made() > 0)
  })
  const database = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  for (const pool of [database.knex, database.bulk]) await t.rejects(pool.raw('select 1'), pause)
  letIn()
  for (const [at, { code, stderr }] of (await asked).entries())
    t.equal(code, 0, `${commands[at]?.join(' ')}: ${stderr}`)
})
