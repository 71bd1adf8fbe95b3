import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { adminListener, answerProbe, type ProbeState } from '../../../core/http/server.ts'
import { createMetrics } from '../../../core/http/metrics.ts'

const process = { status: 'ok', detail: 'The process answers.' } as const
const away = { status: 'down', detail: 'It does not answer.' } as const
const slow = { status: 'degraded', detail: 'It answers now and then.' } as const

async function probing(
  t: Test,
  state: ProbeState
): Promise<{
  status: (path: string) => Promise<number>
  words: () => Promise<string>
  detail: () => Promise<unknown>
}> {
  const server = createServer((req, res) => {
    if (!answerProbe(req, res, () => state)) res.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  const admin = createServer(adminListener(() => state, createMetrics())).listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(admin, 'listening')])
  t.teardown(() => {
    for (const one of [server, admin]) one.close().closeAllConnections()
  })
  const at = (path: string, { port } = server.address() as AddressInfo): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`)
  return {
    status: async path => (await at(path)).status,
    words: async () => await (await at('/readyz')).text(),
    detail: async () => (await (await at('/readyz', admin.address() as AddressInfo)).json()) as unknown
  }
}

t.test('ready means started, not stopping, and some store there', async t => {
  for (const [name, state, wanted] of [
    ['all well', { ready: true, subsystems: { process, store: process } }, 200],
    ['no store at all', { ready: true, subsystems: {} }, 200],
    ['a slow store', { ready: true, subsystems: { process, store: slow } }, 200],
    ['one store of two', { ready: true, subsystems: { process, store: away, other: process } }, 200],
    ['every store away', { ready: true, subsystems: { process, store: away, other: away } }, 503],
    ['starting or stopping', { ready: false, subsystems: { process } }, 503]
  ] as const) {
    const { status, detail } = await probing(t, state)
    t.equal(await status('/readyz'), wanted, name)
    t.equal(await status('/livez'), 200, name)
    t.strictSame(await detail(), { ready: wanted === 200, subsystems: state.subsystems }, name)
  }
})

t.test(
  'where a part is what the service is there for, ready means that it can be read, whatever the others are',
  async t => {
    for (const [name, subsystems, wanted] of [
      ['it can be read', { main: { ...process, isReadable: true }, other: away }, 200],
      ['and is not well', { main: { ...away, isReadable: true }, other: away }, 200],
      ['it cannot', { main: { ...away, isReadable: false }, other: process }, 503]
    ] as const) {
      const { status } = await probing(t, { ready: true, subsystems })
      t.equal(await status('/readyz'), wanted, name)
    }
  }
)

t.test('whoever asks whether it is ready is told whether it can write, and which parts are not well', async t => {
  for (const [subsystems, words, writable] of [
    [{ store: { ...process, isWritable: true }, other: away }, 'ready\nwrites: possible\nnot well: other\n', true],
    [{ store: { ...slow, isWritable: false } }, 'ready\nwrites: not possible\nnot well: store\n', false],
    [{ store: { ...away, isWritable: false } }, 'not ready\nwrites: not possible\nnot well: store\n', false],
    [{ other: process }, 'ready\n', undefined]
  ] as const) {
    const told = await probing(t, { ready: true, subsystems })
    t.equal(await told.words(), words)
    t.strictSame(((await told.detail()) as { writable?: boolean }).writable, writable)
  }
})
