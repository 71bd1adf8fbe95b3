import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { createSurfaceServer, SurfaceApp } from '../../../core/http/server.ts'
import { readYaml } from '../../../core/source/read-yaml.ts'
import { generationOf, library } from '../../support/serve-root.ts'

type Row = Readonly<{ what: string; sent: string; answers: readonly number[]; ends?: true }>

const file = 'test/core/http/framing.yaml'
const rows = readYaml(file, readFileSync(join(packageFolder, file))).value as unknown as readonly Row[]

const note = JSON.stringify({ isbn: '9780141439518', note: 'A truth.' })
const size = note.length.toString(16)
const words: Readonly<Record<string, string>> = {
  get: 'GET /api/v1/library/books HTTP/1.1\r\nHost: a\r\n',
  post: 'POST /api/v1/library/reading-note HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n',
  note,
  length: String(note.length),
  size,
  zero: '\0',
  chunk: `${size}\r\n${note}\r\n`
}
const whole = (sent: string): string => sent.replace(/\{(\w+)\}/g, (text, word: string) => words[word] ?? text)
const first = `${words['get'] ?? ''}\r\n`
const behind = 'GET /behind HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

/**
 * The statuses of the answers in a text that is nothing but answers, the last of which says that the connection ends.
 */
function statusesOf(text: string): readonly (number | string)[] {
  const found: (number | string)[] = []
  let last = ''
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\r\n\r\n', at)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text.slice(at, end))?.[1])
    if (!(status >= 100)) return [...found, text.slice(at, at + 100)]
    last = text.slice(at, end)
    found.push(status)
    at = end + 4 + Number(/^content-length: (\d+)/im.exec(last)?.[1] ?? 0)
  }
  return /^connection: close$/im.test(last) ? found : [...found, 'the connection was left open']
}

const app = new SurfaceApp({ generation: await generationOf(t, [library]) })
const server = createSurfaceServer(app)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
t.teardown(() => {
  server.close().closeAllConnections()
})

async function open(): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let said = ''
  socket.on('data', data => {
    said += data.toString('latin1')
  })
  socket.on('error', error => {
    said += error.message
  })
  await once(socket, 'connect')
  return { socket, said: () => said }
}

/**
 * How a row reaches the server. Who sends bytes one by one to a connection that has ended may lose its answer, so
 * nothing comes behind an end.
 */
const ways: Readonly<Record<string, (socket: Socket, row: Row) => Promise<void> | void>> = {
  'in one piece': (socket, { sent, ends }) => {
    socket.write(first + whole(sent) + (ends === true ? '' : behind), 'latin1')
  },
  'after an answer': async (socket, { sent, ends }) => {
    socket.write(first)
    await once(socket, 'data')
    socket.write(whole(sent) + (ends === true ? '' : behind), 'latin1')
  },
  'byte by byte': async (socket, { sent, answers, ends }) => {
    socket.write(first)
    await once(socket, 'data')
    const goesOn = ends !== true && answers.length > 1 && answers.at(-1) === 404
    for (const byte of whole(sent) + (goesOn ? behind : '')) {
      socket.write(byte, 'latin1')
      await new Promise(setImmediate)
    }
  }
}

for (const [way, send] of Object.entries(ways)) {
  t.test(`what follows a request on its connection is answered or ends it, ${way}`, async t => {
    for (const row of rows) {
      const { socket, said } = await open()
      const closed = once(socket, 'close')
      await send(socket, row)
      if (row.ends === true) socket.end()
      await closed
      t.same(statusesOf(said()), [200, ...row.answers], row.what)
      const next = await open()
      next.socket.write(`${words['get'] ?? ''}Connection: close\r\n\r\n`)
      await once(next.socket, 'close')
      t.same(statusesOf(next.said()), [200], `${row.what}: the next connection`)
    }
  })
}
