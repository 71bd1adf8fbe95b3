// test: long. Services of several processes, whose workers are killed and hang.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { library, libraryIn } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { load } from '../support/load.ts'
import { startService, stopService, workersOf, type Service } from '../support/service.ts'

const serving = (t: Test, root: string, ...args: string[]): Promise<Service> =>
  startService(t, { args: ['--root', root, '--workers', '2', ...args], env: { LOG_LEVEL: 'error' }, hasOwnGroup: true })

const books = '/api/v1/library/books'

/** Asks over a new connection each time, so that each worker is asked sooner or later. */
const ask = (url: string): Promise<Response> => fetch(url, { headers: { Connection: 'close' } })

async function allAtWork({ adminUrl }: Service): Promise<void> {
  await eventually(async () => {
    const { subsystems } = (await (await fetch(`${adminUrl}/readyz`)).json()) as {
      subsystems: { process: { detail: string } }
    }
    assert.equal(subsystems.process.detail, '2 of 2 workers answer.')
  }, 60)
}

async function counted({ adminUrl }: Service): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  return Number(
    new RegExp(`^http_request_duration_seconds_count{.*route="${books}".*} (\\d+)$`, 'm').exec(text)?.[1] ?? '0'
  )
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

t.test(
  'two processes answer on one port, the admin port speaks for both, and a worker that is killed loses the requests that it was answering and no others',
  async t => {
    const service = await serving(t, library)
    t.equal(workersOf(service).length, 2)
    await allAtWork(service)
    for (let asked = 0; asked < 30; asked++) t.equal((await ask(service.url + books)).status, 200)
    t.equal(await counted(service), 30, 'the sum of all workers')
    for (const path of ['/livez', '/readyz']) t.equal((await ask(service.url + path)).status, 200)

    const clients = { kept: 6, fresh: 6 }
    const running = load(service.url + books, clients)
    const kills = 3
    let before = 30
    for (let killed = 0; killed < kills; killed++) {
      const asked = running.answered()
      await eventually(() => {
        assert.ok(running.answered() > asked + 100)
      }, 60)
      const [pid = 0] = workersOf(service)
      const now = await counted(service)
      t.ok(now >= before, 'what was counted stays counted')
      before = now
      process.kill(pid, 'SIGKILL')
      await eventually(() => {
        assert.ok(!isAlive(pid))
      })
      await allAtWork(service)
    }
    const { statuses, unanswered } = await running.stop()
    t.same(Object.keys(statuses), ['200'])
    t.same(
      unanswered.filter(({ reason }) => !['ECONNRESET', 'EPIPE'].includes(reason)),
      [],
      'none is refused, and none waits in vain'
    )
    t.ok(
      unanswered.length <= kills * (clients.kept + clients.fresh),
      `${unanswered.length} requests were lost: each client was asking one`
    )

    const workers = workersOf(service)
    const last = load(service.url + books, { kept: 12, fresh: 0 })
    await eventually(() => {
      assert.ok(last.answered() > 100)
    }, 60)
    t.equal(await stopService(service), 0)
    t.same(
      (await last.stop()).unanswered.filter(({ isOpen }) => isOpen),
      [],
      'a stop answers what was sent on open connections'
    )
    t.same(workers.filter(isAlive), [], 'no worker is left')
  }
)

t.test(
  'a reload reaches all workers, a wrong one none, and one that takes the place of another serves what they serve',
  async t => {
    const root = libraryIn(t.testdir())
    const service = await serving(t, root)
    const file = join(root, 'manifests/books.yaml')
    const summaries = async (): Promise<readonly string[]> => [
      ...new Set(
        await Promise.all(
          Array.from({ length: 20 }, async () => {
            const { resources } = (await (await ask(`${service.url}/api/v1/manifest`)).json()) as {
              resources: Record<string, { id: string; description: string }[]>
            }
            return (
              Object.values(resources)
                .flat()
                .find(({ id }) => id === 'books')?.description ?? ''
            )
          })
        )
      )
    ]
    const clients = load(service.url + books, { kept: 4, fresh: 2 })
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^summary: .*$/m, 'summary: Served by all.'))
    service.child.kill('SIGHUP')
    await eventually(() => {
      assert.match(service.stderr(), /"reloaded .*books\.yaml/)
    })
    t.same(await summaries(), ['Served by all.'])
    writeFileSync(file, 'kind: [')
    service.child.kill('SIGHUP')
    await eventually(() => {
      assert.match(service.stderr(), /"reload of .*books\.yaml refused/)
    })
    t.same(await summaries(), ['Served by all.'])
    t.same((await clients.stop()).unanswered, [], 'and no request was refused meanwhile')

    const [pid = 0] = workersOf(service)
    process.kill(pid, 'SIGKILL')
    await eventually(() => {
      assert.ok(!isAlive(pid))
    })
    await allAtWork(service)
    t.same(await summaries(), ['Served by all.'], 'although the files on the disk are wrong')
    t.match(service.stderr(), /A worker ended unexpectedly/)

    const workers = workersOf(service)
    t.equal(workers.length, 2)
    service.child.kill('SIGKILL')
    await eventually(() => {
      assert.deepEqual(workers.filter(isAlive), [], 'workers whose main process is killed end themselves')
    })
    const next = createServer().listen(Number(new URL(service.url).port), '127.0.0.1')
    await once(next, 'listening')
    next.close()
  }
)

t.test(
  'a terminal that signals every process ends all gracefully, and half a request keeps none for longer than the service promises',
  async t => {
    const service = await serving(t, library)
    const workers = workersOf(service)
    const half = async (): Promise<Socket> => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined)
      await once(socket, 'connect')
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n')
      return socket
    }
    const sockets = await Promise.all(Array.from({ length: 6 }, half))
    const whole = await half()
    // Until half of the request is known to have arrived.
    t.equal((await ask(service.url + books)).status, 200)
    const ended = once(service.child, 'exit', { signal: AbortSignal.timeout(9_000) })
    process.kill(-(service.child.pid ?? 0), 'SIGINT')
    await eventually(() => {
      assert.match(service.stderr(), /"stopping/)
    })
    whole.write('\r\n')
    t.match(await text(whole), /^HTTP\/1\.1 200 /, 'a request that had begun is answered')
    t.same(await ended, [0, null])
    t.same(workers.filter(isAlive), [])
    for (const socket of sockets) socket.destroy()
  }
)

t.test('what keeps a worker from its begin ends the start, as it does without workers', async t => {
  const wrong = libraryIn(t.testdir())
  writeFileSync(join(wrong, 'manifests/books.yaml'), 'kind: [')
  await t.rejects(serving(t, wrong), /ended with 1: .*books\.yaml/s)

  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await t.rejects(serving(t, library, '--port', String(port)), /ended with 3: .*in use/s)
  taken.close()

  await t.rejects(
    startService(t, { args: ['--root', library, '--workers', 'many'] }),
    /ended with 2: .*PANTRY_WORKERS must be a number from 1 to 256, or auto/s
  )
  // Who sends traces is loaded by each worker, and nobody has installed it.
  await t.rejects(
    startService(t, { args: ['--root', library, '--workers', '2'], env: { OTEL_TRACES_EXPORTER: 'otlp' } }),
    /ended with 2: .*@opentelemetry\/sdk-node/s
  )
})
