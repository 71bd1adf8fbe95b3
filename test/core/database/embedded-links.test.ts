import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { serverAccount } from '../../../core/database/embedded/account.ts'
import { folderKey } from '../../../core/database/embedded/lock.ts'
import { durableFolder, existingCluster, newCluster } from '../../../core/database/embedded/cluster.ts'
import { startEmbedded } from '../../../core/database/embedded.ts'
import { silent } from '../../../core/database/connection.ts'
import { query, startServer } from '../../support/embedded.ts'
import { scratchFolder } from '../../support/scratch.ts'

// A cluster is made, which a busy machine takes its time for.

const skip = process.getuid?.() === 0 ? false : 'needs root: what it does in folders of others is not tested here'
const account = skip === false ? serverAccount('/', undefined) : undefined

/** A folder of an account that is not root. */
function foreignFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  chownSync(folder, account?.uid ?? 0, account?.gid ?? 0)
  return folder
}

/** A file of root's that says what a process id file says. */
function ownFile(t: Parameters<typeof scratchFolder>[0]): { file: string; unchanged: () => boolean } {
  const file = join(scratchFolder(t), 'own')
  const text = '999999999\n/\n1\n5432\n/tmp/pantry-server-0123456789abcdef\n'
  writeFileSync(file, text, { mode: 0o600 })
  return { file, unchanged: () => readFileSync(file, 'utf8') === text && statSync(file).uid === 0 }
}

t.test('a planted process id file leads root to no other file', { skip }, async t => {
  const dataDir = foreignFolder(join(scratchFolder(t), 'data'))
  const first = await startEmbedded({ dataDir, log: silent })
  await query(first, 'create table kept as select 7 as value')
  await first.stop()
  const { file, unchanged } = ownFile(t)
  const planted = join(dataDir, 'postgres', 'postmaster.pid')
  symlinkSync(file, planted)
  await t.rejects(startEmbedded({ dataDir, log: silent }), { code: 'O207' }, 'PostgreSQL itself cannot read it')
  t.ok(unchanged())
  rmSync(planted)
  t.same(await query(await startServer(t, dataDir), 'select value from kept'), [{ value: 7 }])
})

t.test('a planted lock leads root to no other file', { skip }, async t => {
  const dataDir = foreignFolder(join(scratchFolder(t), 'data'))
  const { file, unchanged } = ownFile(t)
  symlinkSync(file, join(dataDir, 'lock'))
  await t.rejects(startEmbedded({ dataDir, log: silent }), { code: 'O204', message: /lock cannot be opened/ })
  t.ok(unchanged())
})

t.test('root adopts no cluster that is a link, or that another account can have put there', { skip }, t => {
  const linked = foreignFolder(join(scratchFolder(t), 'data'))
  symlinkSync(scratchFolder(t), join(linked, 'postgres'))
  t.throws(() => existingCluster(linked), { code: 'O204', message: /not a folder/ })

  const shared = scratchFolder(t)
  chmodSync(shared, 0o1777)
  t.throws(
    () => newCluster(shared, account),
    { code: 'O204', message: /Others can write/ },
    'nor makes one that it would not adopt'
  )
  foreignFolder(join(shared, 'postgres'))
  t.throws(() => existingCluster(shared), { code: 'O204', message: /others can write/ })

  const dataDir = scratchFolder(t)
  const durable = join(durableFolder(), folderKey(dataDir))
  t.teardown(() => {
    rmSync(durable, { recursive: true, force: true })
  })
  foreignFolder(join(foreignFolder(durable), 'postgres'))
  t.equal(existingCluster(dataDir), undefined)
  chownSync(durable, 0, 0)
  t.equal(existingCluster(dataDir), join(durable, 'postgres'), 'while what root made is adopted')
  t.equal(lstatSync(dirname(durable)).uid, 0)
  t.end()
})
