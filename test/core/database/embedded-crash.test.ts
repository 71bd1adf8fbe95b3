// test: long. Servers are killed and started again.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { silent } from '../../../core/database/connection.ts'
import { startEmbedded } from '../../../core/database/embedded.ts'
import { query, startElsewhere, startServer } from '../../support/embedded.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'

// Each test makes a cluster, which a busy machine takes its time for.

const keep = 'create table kept as select 7 as value'
const kept = 'select value from kept'

t.test('a server that is killed is started again, with every committed row', async t => {
  const server = await startServer(t, scratchFolder(t))
  await query(server, keep)
  const killed = server.pid()
  process.kill(killed, 'SIGKILL')
  await eventually(() => {
    if (server.pid() === killed) throw new Error('not started again')
  })
  t.same(await query(server, kept), [{ value: 7 }])
})

t.test('a Pantry that is killed takes its server along, and the next one finds the data', async t => {
  const dataDir = scratchFolder(t)
  const earlier = await startElsewhere(t, dataDir)
  await query(earlier, keep)
  earlier.process.kill('SIGKILL')
  await once(earlier.process, 'exit')
  await eventually(() => {
    if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) throw new Error('the server still runs')
  })
  t.same(await query(await startServer(t, dataDir), kept), [{ value: 7 }])
})

t.test('files that a crash left behind do not keep the server from starting', async t => {
  const dataDir = scratchFolder(t)
  const earlier = await startElsewhere(t, dataDir)
  await query(earlier, keep)
  // Stopped first, so that it cannot shut down: its process id file, its socket and the lock of the socket stay.
  process.kill(earlier.serverPid, 'SIGSTOP')
  earlier.process.kill('SIGKILL')
  await once(earlier.process, 'exit')
  process.kill(earlier.serverPid, 'SIGKILL')
  t.ok(existsSync(join(dataDir, 'postgres', 'postmaster.pid')))
  t.same(await query(await startServer(t, dataDir), kept), [{ value: 7 }])
})

t.test('a server that outlived its Pantry is replaced', async t => {
  const dataDir = scratchFolder(t)
  const earlier = await startElsewhere(t, dataDir)
  await query(earlier, keep)
  process.kill(earlier.serverPid, 'SIGSTOP')
  earlier.process.kill('SIGKILL')
  await once(earlier.process, 'exit')
  const messages: string[] = []
  const next = startEmbedded({
    dataDir,
    log: {
      ...silent,
      warn: message => {
        messages.push(message)
        process.kill(earlier.serverPid, 'SIGCONT')
      }
    }
  })
  t.teardown(async () => {
    await (await next).stop()
  })
  t.same(await query(await next, kept), [{ value: 7 }])
  t.match(messages[0], `process ${earlier.serverPid}`)
})
