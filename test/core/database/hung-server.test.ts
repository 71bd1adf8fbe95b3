// test: long. A server that hangs is found by its time limits.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { startEmbedded } from '../../../core/database/embedded.ts'
import { query, startElsewhere } from '../../support/embedded.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'

/** The helpers of a server, by the process that started them. */
const childrenOf = (server: number): readonly number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(Number)

/** Whether a process runs: what has ended and was not waited for does not. */
const runs = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

const skip = process.platform === 'linux' ? false : 'needs the /proc of Linux'

t.test('a database whose server hangs is closed, and leaves no process', { skip }, async t => {
  const dataDir = scratchFolder(t)
  const database = await openDatabase({ dataDir, log: silent })
  const {
    rows: [server]
  } = await database.knex.raw<{ rows: { pid: number }[] }>(
    "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid"
  )
  const pid = server?.pid ?? 0
  const open = await database.bulk.transaction()
  await open.raw('select 1')
  const all = [pid, ...childrenOf(pid)]
  t.ok(all.length > 3)
  t.teardown(() => {
    for (const one of all) if (runs(one)) process.kill(one, 'SIGKILL')
  })
  for (const one of all) process.kill(one, 'SIGSTOP')
  const asked = database.knex.raw('select 1').catch((error: unknown) => error)
  await database.close()
  t.match(await asked, { status: 503 })
  await eventually(() => {
    if (all.some(runs)) throw new Error('they run')
  })
  const again = await startEmbedded({ dataDir, log: silent })
  t.same(await query(again, 'select 1 as one'), [{ one: 1 }])
  await again.stop()
})

t.test('what is left of a server that was killed is ended by the next start, which says so', { skip }, async t => {
  const dataDir = scratchFolder(t)
  const { process: earlier, serverPid, connection } = await startElsewhere(t, dataDir)
  await query({ connection }, 'create table kept as select 1 as one')
  const helpers = childrenOf(serverPid)
  t.ok(helpers.length > 2)
  t.teardown(() => {
    for (const one of helpers) if (runs(one)) process.kill(one, 'SIGKILL')
  })
  for (const helper of helpers) process.kill(helper, 'SIGSTOP')
  process.kill(serverPid, 'SIGSTOP')
  earlier.kill('SIGKILL')
  process.kill(serverPid, 'SIGKILL')
  const said: string[] = []
  const server = await startEmbedded({
    dataDir,
    log: {
      ...silent,
      warn: message => {
        said.push(message)
      }
    }
  })
  t.teardown(() => server.stop())
  t.match(said, [
    /^A PostgreSQL server of an earlier Pantry has ended, and \d+ of its processes have not; they are ended\.$/
  ])
  t.same(await query(server, 'select one from kept'), [{ one: 1 }])
})
