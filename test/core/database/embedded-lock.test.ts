// test: long. Servers of PostgreSQL in namespaces of their own.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { lockFile } from '../../../core/database/embedded/lock.ts'
import { query, refusedElsewhere, startElsewhere, startServer } from '../../support/embedded.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'

// A cluster is made, which a busy machine takes its time for.

/** What a container is made of: names, processes, memory and mounts of its own. */
const container = ['unshare', '--net', '--pid', '--ipc', '--mount', '--fork', '--mount-proc']
const skip =
  spawnSync(container[0] ?? '', [...container.slice(1), 'true']).status === 0
    ? false
    : 'needs root and `unshare`: starts in other namespaces are not tested here'

t.test('without a program that locks, no server starts', t => {
  const { PATH } = process.env
  const file = join(scratchFolder(t), 'lock')
  writeFileSync(file, '')
  process.env['PATH'] = ''
  try {
    t.throws(() => lockFile(file), { code: 'O208', message: /flock ENOENT.*perl ENOENT/ })
  } finally {
    process.env['PATH'] = PATH
  }
  t.ok(lockFile(file), 'with one it is locked')
  t.end()
})

/** Inserts rows one by one until it is told to stop; resolves to the numbers that the server has acknowledged. */
function writeRows(server: Parameters<typeof query>[0]): { count: () => number; finish: () => Promise<number> } {
  const stopping = new AbortController()
  let rows = 0
  const written = (async () => {
    while (!stopping.signal.aborted) {
      await query(server, `insert into kept values (${rows})`)
      rows += 1
      await sleep(10)
    }
    return rows
  })()
  return {
    count: () => rows,
    finish: () => {
      stopping.abort()
      return written
    }
  }
}

const dataDir = scratchFolder(t)

t.test('a start in another container is refused, and the running server keeps every row', { skip }, async t => {
  const elsewhere = join(scratchFolder(t), 'tmp')
  mkdirSync(elsewhere, { mode: 0o777 })
  const server = await startServer(t, dataDir)
  await query(server, 'create table kept (value integer)')
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const [pid, owner] = [server.pid(), readFileSync(pidFile, 'utf8')]
  const writer = writeRows(server)
  t.match(await refusedElsewhere(t, dataDir, container, { TMPDIR: elsewhere }), /in use by another Pantry/)
  while (writer.count() < 10) await sleep(20)
  const rows = await writer.finish()
  t.same(await query(server, 'select count(*)::integer as rows from kept'), [{ rows }])
  t.equal(readFileSync(pidFile, 'utf8'), owner, 'nobody wrote into the process id file')
  t.equal(server.pid(), pid, 'the server was never restarted')
})

t.test('a start through a bind mount is refused, and the running server goes on', { skip }, async t => {
  const other = join(scratchFolder(t), 'other')
  mkdirSync(other)
  const server = await startServer(t, dataDir)
  const pid = server.pid()
  const mounted = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" "$1"; shift; exec "$@"', dataDir, other]
  t.match(await refusedElsewhere(t, other, mounted), /in use by another Pantry/)
  await sleep(500)
  t.same(await query(server, 'select 7 as value'), [{ value: 7 }])
  t.equal(server.pid(), pid)
})

t.test('a server that outlived its Pantry and cannot be seen from here is left alone', { skip }, async t => {
  const earlier = await startElsewhere(t, dataDir)
  await query(earlier, 'create table seven as select 7 as value')
  // Stopped, so that it outlives its Pantry.
  process.kill(earlier.serverPid, 'SIGSTOP')
  earlier.process.kill('SIGKILL')
  await once(earlier.process, 'exit')
  t.match(await refusedElsewhere(t, dataDir, container), /another container or on another machine/)
  process.kill(earlier.serverPid, 'SIGCONT')
  const server = await eventually(() => startServer(t, dataDir))
  t.same(await query(server, 'select value from seven'), [{ value: 7 }])
})
