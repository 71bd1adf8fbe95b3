import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { Named } from '../../../core/database/connection.ts'
import { silent } from '../../../core/database/log.ts'
import { watchServers } from '../../../core/database/servers.ts'
import { eventually } from '../../support/eventually.ts'

/** A message of PostgreSQL's protocol (its manual, 55.7): a letter, a length, a content. */
function message(letter: string, content: string): string {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return letter + length.toString('latin1') + content
}

const ready = message('Z', 'I')
const welcome = message('R', '\0\0\0\0') + ready
/** The row of a primary: no standby, position 0, timeline 1, nothing replayed. */
const primaryRow =
  message(
    'T',
    '\0\x04' +
      [16, 20, 23, 20].map(type => `x\0\0\0\0\0\0\0\0\0\0${String.fromCharCode(type)}\0\0\0\0\0\0\0\0`).join('')
  ) +
  message('D', '\0\x04\0\0\0\x01f\0\0\0\x010\0\0\0\x011\xff\xff\xff\xff') +
  message('C', 'SELECT 1\0')
const refusal = message('E', 'SERROR\0VERROR\0C0A000\0Mnot supported\0\0')

/** A server that answers every statement with the same, and counts them. */
async function serverThatSays(t: Test, name: string, answer: string): Promise<{ named: Named; asked: number }> {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(welcome, 'latin1')
      socket.on('data', bytes => {
        if (bytes[0] !== 'Q'.charCodeAt(0)) return
        found.asked += 1
        socket.write(answer + ready, 'latin1')
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
  })
  const found = {
    named: { name, target: { url: `postgres://pantry@127.0.0.1:${(server.address() as AddressInfo).port}/pantry` } },
    asked: 0
  }
  return found
}

t.test('a server that cannot say how far it is costs no more questions than one that can', async t => {
  const [primary, other] = [await serverThatSays(t, 'primary', primaryRow), await serverThatSays(t, 'other', refusal)]
  const servers = watchServers({
    primaries: [primary.named],
    standbys: [other.named],
    longestLag: 1_000,
    log: silent,
    moved: () => undefined
  })
  t.teardown(() => servers.close())
  await eventually(() => {
    assert.ok(primary.asked >= 5)
  })
  t.ok(other.asked <= primary.asked + 2, `${other.asked} questions, and ${primary.asked} of the other`)
  t.equal(servers.reading(), undefined)
})
