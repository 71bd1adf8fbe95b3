import fc from 'fast-check'
import t from 'tap'
import { createClientAddress, networkOf, readNetwork, type ClientAddress } from '../../../core/http/client.ts'

const trusting = (...texts: readonly string[]): ClientAddress =>
  createClientAddress(
    texts.map(
      text =>
        readNetwork(text) ??
        (() => {
          throw new Error(text)
        })()
    )
  )

t.test('the client is the last one that is no trusted proxy', t => {
  const address = trusting('10.0.0.0/8', '::1')
  for (const [remote, forwarded, client] of [
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.3.4', '198.51.100.1'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, not an address', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '', '10.0.0.1']
  ] as const)
    t.equal(address(remote, forwarded), client, `${remote} with ${forwarded ?? 'nothing'}`)
  t.equal(address(undefined, undefined), undefined)
  t.equal(address(undefined, '198.51.100.1'), undefined, 'who connects to a socket is not trusted')
  const bySocket = trusting('unix:', '10.0.0.0/8')
  t.equal(bySocket(undefined, '1.1.1.1, 198.51.100.1, 10.2.3.4'), '198.51.100.1')
  t.equal(bySocket(undefined, undefined), undefined)
  t.equal(bySocket('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  t.equal(trusting()('127.0.0.1', '198.51.100.1'), '127.0.0.1', 'without trusted proxies nothing is read')
  t.end()
})

t.test('what a client writes in front changes nothing', t => {
  const address = trusting('10.0.0.0/8')
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          fc.string({ maxLength: 20 }).filter(text => !/[\r\n]/.test(text))
        )
      ),
      fc.ipV4().filter(ip => !ip.startsWith('10.')),
      (written, client) => {
        t.equal(address('10.0.0.1', [...written, client].join(', ')), client)
      }
    ),
    { numRuns: 100 }
  )
  t.end()
})

t.test('what is no address and no network is none', t => {
  for (const text of ['', 'localhost', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0', '10.0.0.0/-1', '10.0.0.0/'])
    t.equal(readNetwork(text), undefined, text)
  t.end()
})

t.test('a client is an IPv4 address, or all of a /64', t => {
  for (const [address, network] of [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.10', '203.0.113.10'],
    [undefined, ''],
    ['', ''],
    ['2001:db8:0:7::1', '2001:db8:0:7'],
    ['2001:0DB8:0000:0007:ffff:1:2:3', '2001:db8:0:7'],
    ['2001:db8::7:1:2:3:4', '2001:db8:0:7'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0'],
    ['1::', '1:0:0:0'],
    ['1:2:3:4:5:6:7::', '1:2:3:4']
  ] as const)
    t.equal(networkOf(address), network, String(address))
  fc.assert(
    fc.property(fc.ipV6(), address =>
      /^(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}|\d+(?:\.\d+){3})$/.test(networkOf(address))
    )
  )
  t.end()
})
