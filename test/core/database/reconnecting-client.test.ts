import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { Named } from '../../../core/database/connection.ts'
import { silent } from '../../../core/database/log.ts'
import { ReconnectingClient } from '../../../core/database/reconnecting-client.ts'
import { eventually } from '../../support/eventually.ts'

/** AuthenticationOk and ReadyForQuery (PostgreSQL manual, 55.7). */
const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

/** A server that lets clients in when it is told to, and runs nothing. */
async function doorOf(t: Test): Promise<Readonly<{ named: Named; waiting: Socket[]; open: ReadonlySet<Socket> }>> {
  const waiting: Socket[] = []
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket
      .once('data', () => {
        waiting.push(socket)
      })
      .on('error', () => undefined)
      .once('close', () => {
        open.delete(socket)
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    named: {
      name: 'one',
      target: { url: `postgres://pantry@127.0.0.1:${(server.address() as AddressInfo).port}/pantry` }
    },
    waiting,
    open
  }
}

t.test(
  'a client that is told where to go now is not down while it goes there, and opens one connection however often it is told',
  async t => {
    const { named, waiting, open } = await doorOf(t)
    let places: readonly Named[] = []
    const client = new ReconnectingClient(
      { inOrder: () => places, isCurrent: () => true },
      { connect: 5_000, statement: 1_000 },
      () => undefined,
      silent
    )
    t.teardown(() => client.close())
    t.equal(client.state, 'down', 'no server is known')

    places = [named]
    client.hurry()
    t.equal(client.state, 'connecting')
    client.hurry()
    await eventually(() => {
      assert.ok(waiting.length > 0)
    })
    for (const socket of waiting.splice(0)) socket.write(welcome)
    await eventually(() => {
      assert.equal(client.state, 'idle')
    })
    t.equal(open.size, 1)
  }
)

t.test('an attempt that another one has overtaken leaves no connection', async t => {
  const { named, waiting, open } = await doorOf(t)
  let places: readonly Named[] = []
  const client = new ReconnectingClient(
    { inOrder: () => places, isCurrent: () => true },
    { connect: 5_000, statement: 1_000 },
    () => undefined,
    silent
  )
  t.teardown(() => client.close())
  places = [named]
  // It tries by itself, and is told to in the middle of that.
  await eventually(() => {
    assert.equal(waiting.length, 1)
  })
  client.hurry()
  await eventually(() => {
    assert.equal(waiting.length, 2)
  })
  for (const socket of waiting) socket.write(welcome)
  await eventually(() => {
    assert.equal(client.state, 'idle')
    assert.equal(open.size, 1)
  })
})
