import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { silent, type ServerTarget } from '../../../core/database/connection.ts'
import { ReconnectingClient } from '../../../core/database/reader.ts'
import { eventually } from '../../support/eventually.ts'

/** AuthenticationOk and ReadyForQuery (PostgreSQL manual, 55.7). */
const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

/** A server that lets clients in when it is told to, and runs nothing. */
async function doorOf(
  t: Test
): Promise<Readonly<{ target: ServerTarget; waiting: Socket[]; open: ReadonlySet<Socket> }>> {
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
    target: { url: `postgres://pantry@127.0.0.1:${(server.address() as AddressInfo).port}/pantry` },
    waiting,
    open
  }
}

const limits = { connect: 5_000, statement: 1_000 }

t.test('a client that is not let in tries again by itself, on one connection', async t => {
  const { target, waiting, open } = await doorOf(t)
  const client = new ReconnectingClient(target, limits, () => undefined, silent)
  t.teardown(() => client.close())
  t.equal(client.state, 'connecting')
  await eventually(() => {
    assert.equal(waiting.length, 1)
  })
  waiting.shift()?.destroy()
  await eventually(() => {
    assert.equal(client.state, 'down')
  })
  await eventually(() => {
    assert.equal(waiting.length, 1)
  })
  waiting.shift()?.write(welcome)
  await eventually(() => {
    assert.equal(client.state, 'idle')
  })
  t.equal(open.size, 1)
})

t.test('a client that is reset connects again, and leaves no connection', async t => {
  const { target, waiting, open } = await doorOf(t)
  const client = new ReconnectingClient(target, limits, () => undefined, silent)
  t.teardown(() => client.close())
  for (let round = 0; round < 3; round += 1) {
    await eventually(() => {
      assert.equal(waiting.length, 1)
    })
    waiting.shift()?.write(welcome)
    await eventually(() => {
      assert.equal(client.state, 'idle')
    })
    client.reset()
    t.equal(client.state, 'connecting')
  }
  await eventually(() => {
    assert.equal(open.size, 1)
  })
})
