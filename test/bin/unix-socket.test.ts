// test: long. Services that listen on sockets, one after the other.
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { readConfig } from '../../bin/config.ts'
import { library, pantry } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService, stopService, workersOf } from '../support/service.ts'

/** The status of an answer over a socket. */
async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const asked = request({ socketPath: path, path: '/api/v1/library/books', agent: false, headers }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  await text(answer)
  return answer.statusCode
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

for (const workers of ['1', '2'])
  t.test(`a service listens on a socket, with ${workers} processes`, async t => {
    const path = join(scratchFolder(t), 'pantry.sock')
    const serve = (): ReturnType<typeof startService> =>
      startService(t, {
        args: ['--root', library, '--host', `unix:${path}`, '--workers', workers],
        env: { PANTRY_TRUSTED_PROXIES: 'unix:', NO_COLOR: '1' },
        hasOwnGroup: true
      })
    const first = await serve()
    t.equal(first.url, `unix:${path}`)
    t.match(first.adminUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
    t.match(first.stderr(), 'links say http://localhost, because HOST is unix:')
    t.equal(modeOf(path), '660')
    for (let asked = 0; asked < 10; asked += 1) t.equal(await ask(path), 200)
    t.match(await pantry(['serve', '--root', library, '--host', `unix:${path}`]), {
      code: 3,
      stderr: /Another process answers at the socket/
    })
    t.equal(await ask(path), 200, 'the other one was not disturbed')

    const workerIds = workersOf(first)
    process.kill(-(first.child.pid ?? 0), 'SIGKILL')
    await once(first.child, 'exit')
    t.ok(existsSync(path), `what was killed leaves its socket (${workerIds.length} workers)`)
    const second = await serve()
    t.equal(await ask(path), 200)
    t.match(second.stderr(), `start with: curl --unix-socket ${path} http://localhost/`)
    t.equal(await stopService(second), 0)
    t.notOk(existsSync(path), 'nothing is left at the end')
  })

t.test('behind a proxy at the socket each client is known for itself', async t => {
  const path = join(scratchFolder(t), 'pantry.sock')
  const { stderr } = await startService(t, {
    args: ['--root', library, '--host', `unix:${path}`],
    env: { PANTRY_TRUSTED_PROXIES: 'unix:', LOG_LEVEL: 'debug' }
  })
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) await ask(path, { 'X-Forwarded-For': client })
  await eventually(() => {
    const callers = [...stderr().matchAll(/"caller":"([^"]+)"/g)].map(([, hash]) => hash)
    const [first, second, third] = callers
    if (callers.length !== 3 || first !== third || first === second) throw new Error(stderr())
  })
})

t.test('what is no socket stays, and a folder must be there', async t => {
  const folder = scratchFolder(t)
  const file = join(folder, 'file')
  writeFileSync(file, 'mine')
  mkdirSync(join(folder, 'folder'))
  for (const [name, words] of [
    ['file', /"code":"O502".* is there, and is no socket/],
    ['folder', /is there, and is no socket/],
    ['none/pantry.sock', /cannot be used \(ENOENT\)/]
  ] as const)
    t.match(
      await pantry(['serve', '--root', library, '--host', `unix:${join(folder, name)}`]),
      { code: 3, stderr: words },
      name
    )
  t.equal(statSync(file).size, 4)
})

t.test('doctor leaves a socket that a killed process left', async t => {
  const path = join(scratchFolder(t), 'pantry.sock')
  const env = { HOST: `unix:${path}` }
  const found = async (): Promise<string> => (await pantry(['doctor', '--root', library], env)).stdout
  t.match(await found(), /socket +ok +The socket .* can be made/)
  const server = createServer().listen(path)
  await once(server, 'listening')
  t.match(await found(), /Another process answers/)
  server.close()
})

t.test('HOST names a socket with unix: alone', t => {
  t.match(readConfig({ HOST: 'unix:pantry.sock' }), { host: '127.0.0.1', socket: join(process.cwd(), 'pantry.sock') })
  t.notHas(readConfig({ HOST: '0.0.0.0' }), { socket: String })
  for (const host of ['./pantry.sock', '/run/pantry.sock', 'unix:'])
    t.throws(() => readConfig({ HOST: host }), /HOST must be an address, or `unix:` and the path of a socket/)
  t.throws(() => readConfig({ HOST: `unix:/${'x'.repeat(110)}` }), /HOST must be a path of at most 103 bytes/)
  t.end()
})
