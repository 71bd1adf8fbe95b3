// test: slow.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { status } from '../../support/migrations.ts'
import { diagnoseDatabase } from '../../../core/database/doctor.ts'
import { startEmbedded } from '../../../core/database/embedded.ts'
import { silent } from '../../../core/database/connection.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'

// The embedded server is started and stopped several times.

const migrations = status
const nowhere = { dataDir: '/', migrations }

t.test('a server that is reached is named with its version and what is still to run', async t => {
  const ready = await testDatabase(t)
  const empty = await testDatabase(t, 'empty')
  t.match(await diagnoseDatabase({ ...nowhere, url: ready.url }), [
    { name: 'server', ok: true, detail: /PostgreSQL \d+/ },
    { name: 'migrations', ok: true, fix: '' }
  ])
  t.match(await diagnoseDatabase({ ...nowhere, url: empty.url }), [
    { ok: true },
    { name: 'migrations', ok: false, detail: /0030_cards/, fix: /pantry migrate/ }
  ])
})

t.test('a server that is only read is asked too', async t => {
  const { url } = await testDatabase(t)
  const ask = (readUrl: string) => diagnoseDatabase({ ...nowhere, url, readUrl })
  t.match(await ask(url), [{ ok: true }, { name: 'server that is read', ok: true }, { name: 'migrations', ok: true }])
  t.match(await ask('postgresql://nobody@127.0.0.1:1/none'), [
    { ok: true },
    { name: 'server that is read', ok: false, detail: /ECONNREFUSED/, fix: /DATABASE_READ_URL/ },
    { name: 'migrations', ok: true }
  ])
})

t.test('a server that is not reached comes with the reason', async t => {
  t.match(await diagnoseDatabase({ ...nowhere, url: 'postgresql://nobody@127.0.0.1:1/none' }), [
    { name: 'server', ok: false, detail: /ECONNREFUSED/, fix: /DATABASE_URL/ }
  ])
})

t.test(
  'a cluster of root, such as a copy that root made, comes with what to do',
  { skip: process.getuid?.() === 0 ? false : 'needs root' },
  async t => {
    const dataDir = scratchFolder(t)
    mkdirSync(join(dataDir, 'postgres'))
    t.match(await diagnoseDatabase({ dataDir, migrations }), [
      {},
      {},
      { name: 'user', ok: false, detail: /postgres belongs to root/, fix: /chown -R/ }
    ])
    await t.rejects(startEmbedded({ dataDir, log: silent }), {
      code: 'O203',
      message: /belongs to root/,
      fix: /chown -R/
    })
  }
)

t.test('a data folder is followed from nothing to in use', async t => {
  const dataDir = join(scratchFolder(t), 'not', 'yet')
  const ask = (more = {}) => diagnoseDatabase({ dataDir, migrations, ...more })
  const fresh = await ask()
  t.ok(fresh.every(({ ok, fix }) => ok && fix === ''))
  t.same(
    fresh.map(({ name }) => name),
    ['data folder', 'space', 'user', 'programs', 'database']
  )
  t.match(await ask({ postgresBin: '/nowhere' }), [
    {},
    {},
    {},
    { name: 'programs', ok: false, detail: /nowhere/, fix: /PANTRY_POSTGRES_BIN/ }
  ])
  const server = await startEmbedded({ dataDir, log: silent })
  t.match((await ask()).slice(4), [
    { name: 'lock', detail: `process ${process.pid}.` },
    { name: 'server', ok: true },
    { name: 'migrations', ok: false }
  ])
  await server.stop()
  t.match((await ask()).slice(4), [
    { name: 'lock', ok: true },
    { name: 'server', ok: true },
    { name: 'migrations', ok: false }
  ])
})
