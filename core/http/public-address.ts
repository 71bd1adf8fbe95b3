import { BlockList, isIP } from 'node:net'
import { readNetwork } from './client.ts'

/** IPv4 blocks that are not public: the IANA special-purpose registries (RFC 6890) and multicast. */
const special4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4]
]
/**
 * IPv6 blocks within global unicast that are not public: protocol assignments including Teredo, documentation, 6to4,
 * and AS112 (RFC 7534). Teredo and 6to4 can embed any IPv4 address.
 */
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20]
]

const blocked4 = new BlockList()
for (const [net, prefix] of special4) blocked4.addSubnet(net, prefix, 'ipv4')
const blocked6 = new BlockList()
for (const [net, prefix] of special6) blocked6.addSubnet(net, prefix, 'ipv6')
const unicast6 = new BlockList()
unicast6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an IP address is public; false for text that is no address. IPv6 addresses outside 2000::/3, such as mapped,
 * local and private ones, are never public.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked4.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && unicast6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6')
    default:
      return false
  }
}

/** The variable with the networks that code may ask although they are not public. */
const variable = 'PANTRY_OUTGOING_NETWORKS'

/** The networks that `listed` was made of, so that the variable is read once. */
let read: Readonly<{ text: string; listed: BlockList }> | undefined

/** Returns the networks that the operator lists. What is no network is told at start (`readConfig`). */
function listedNetworks(): BlockList {
  const text = process.env[variable] ?? ''
  if (read?.text === text) return read.listed
  const listed = new BlockList()
  for (const { address, prefix, family } of text.split(',').flatMap(one => readNetwork(one.trim()) ?? []))
    if (family !== 'unix') listed.addSubnet(address, prefix, family)
  read = { text, listed }
  return listed
}

/** Whether code may ask a server at an address: it is public, or in a network that the operator lists. */
export const mayBeAsked = (address: string): boolean =>
  isPublicAddress(address) ||
  (isIP(address) !== 0 && listedNetworks().check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'))
