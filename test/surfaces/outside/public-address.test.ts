import t from 'tap'
import { isPublicAddress } from '../../../surfaces/outside/public-address.ts'

t.test('addresses of the public internet, at both sides of each block', t => {
  for (const address of [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:800::200e',
    '2001:200::',
    '2001:4860:4860::8888'
  ])
    t.equal(isPublicAddress(address), true, address)
  t.end()
})

t.test('everything that leads inward, nowhere, or to many', t => {
  for (const address of [
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '3fff::1'
  ])
    t.equal(isPublicAddress(address), false, address)
  t.end()
})

t.test('what is no address is not public', t => {
  for (const text of [
    '',
    'localhost',
    'example.org',
    '127.1',
    '0x7f.1',
    '2130706433',
    '1.1.1.1.',
    '[::1]',
    '1.1.1.1/8'
  ])
    t.equal(isPublicAddress(text), false, text)
  t.end()
})
