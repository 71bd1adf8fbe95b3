import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { library } from '../support/command-line.ts'
import { program } from '../support/program.ts'

type Service = Readonly<{ child: ChildProcess, url: string, adminUrl: string }>

/** `pantry serve` as a process of its own, whose stderr is not read once it listens. */
async function serving (t: Test, env: NodeJS.ProcessEnv = {}): Promise<Service> {
  const child = spawn(process.execPath, [...program('bin/pantry'), 'serve', '--root', library, '--port', '0', '--admin-port', '0'], {
    env: { ...process.env, LOG_LEVEL: 'silent', ...env }, stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  const found = async (stream: Readable, pattern: RegExp): Promise<string> => {
    const lines = createInterface({ input: stream })
    for await (const line of lines) {
      const url = pattern.exec(line)?.[1]
      if (url !== undefined) return url
    }
    throw new Error(`no line like ${pattern.source}`)
  }
  const [url, adminUrl] = await Promise.all([found(child.stdout, /^listening on (\S+)$/), found(child.stderr, /^admin port on (\S+)$/)])
  // Nothing reads stderr from here on: the pipe fills.
  child.stderr.pause()
  return { child, url, adminUrl }
}

async function half (url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Rejects when the process is not gone in the nine seconds that it promises; a container is killed after ten. */
async function stopped (child: ChildProcess): Promise<unknown> {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(9_000) }) as unknown[]
  return code
}

t.test('SIGTERM ends the process although clients have sent half of a request, on every port', async t => {
  const { child, url, adminUrl } = await serving(t)
  const sockets = await Promise.all([
    half(adminUrl, 'GET /metrics HTTP/1.1\r\nHost: x\r\n'), half(url, 'GET / HTTP/1.1\r\nHost: x\r\n'),
    half(url, 'POST /api/v1/library/books HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'), half(url, ''), half(adminUrl, '')
  ])
  t.equal(await stopped(child), 0)
  for (const socket of sockets) socket.destroy()
})

t.test('a log that nobody reads keeps no answer, and no process that is asked to stop', async t => {
  const { child, url } = await serving(t, { LOG_LEVEL: 'debug' })
  // A line is about 170 bytes, a pipe holds 64 KiB.
  for (let round = 0; round < 30; round++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/api/v1/library/books`, { signal: AbortSignal.timeout(20_000) })))
    for (const answer of answers) await answer.body?.cancel()
  }
  t.equal((await fetch(`${url}/api/v1/library/books`)).status, 200)
  t.equal(await stopped(child), 0)
})
