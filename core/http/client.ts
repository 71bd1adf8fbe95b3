import { createHash, createHmac, randomBytes } from 'node:crypto'
import { BlockList, isIP } from 'node:net'

/**
 * Returns the client address for a remote address and the values of `X-Forwarded-For`; undefined once the connection is
 * closed, and for a connection to a Unix socket that is no trusted proxy.
 */
export type ClientAddress = (
  remoteAddress: string | undefined,
  forwarded: string | readonly string[] | undefined
) => string | undefined

/**
 * A trusted proxy: an address or a network in CIDR notation (RFC 4632, RFC 4291 §2.3), or whoever connects to a Unix
 * socket, which has no address.
 */
export type Network = Readonly<{ address: string; prefix: number; family: 'ipv4' | 'ipv6' | 'unix' }>

export function readNetwork(text: string): Network | undefined {
  if (text === 'unix:') return { address: '', prefix: 0, family: 'unix' }
  const [address = '', length, ...more] = text.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const prefix = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : Infinity
  if (version === 0 || more.length > 0 || prefix > most) return undefined
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Returns an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) as IPv4; any other address unchanged. */
const plain = (address: string): string => /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address

/**
 * Returns the key by which a client is counted: its IPv4 address, or the /64 network of its IPv6 address, as
 * `2001:db8:0:1`. One household or machine has a whole /64 (RFC 6177 §2).
 */
export function networkOf(address: string | undefined): string {
  const known = plain(address ?? '')
  if (isIP(known) !== 6) return known
  const [before = '', after] = known.split('%')[0]?.split('::') ?? []
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  // An IPv4 address at the end is as long as two groups.
  const [first, last] = [groups(before), groups(after ?? '')]
  const missing = 8 - first.length - last.length - (known.includes('.') ? 1 : 0)
  return [...first, ...(after === undefined ? [] : Array<string>(missing).fill('0')), ...last]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/**
 * Returns a function that finds the client of a request. Each proxy appends to `X-Forwarded-For` the address from which
 * it received the request: the client is the last address there that is no trusted proxy. Addresses further left may be
 * forged.
 */
export function createClientAddress(trusted: readonly Network[]): ClientAddress {
  const proxies = new BlockList()
  for (const { address, prefix, family } of trusted) if (family !== 'unix') proxies.addSubnet(address, prefix, family)
  const isSocketTrusted = trusted.some(({ family }) => family === 'unix')
  const isProxy = (address: string | undefined): boolean =>
    address === undefined ? isSocketTrusted : proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (remoteAddress, forwarded = []) => {
    let client = remoteAddress === undefined ? undefined : plain(remoteAddress)
    const hops = [forwarded]
      .flat()
      .join(',')
      .split(',')
      .map(hop => plain(hop.trim()))
    while (isProxy(client)) {
      const before = hops.pop() ?? ''
      if (isIP(before) === 0) return client
      client = before
    }
    return client
  }
}

/** The salt of a UTC day (`YYYY-MM-DD`): 32 bytes. */
export type CallerSalt = Readonly<{ day: string; bytes: Buffer }>

const dayMs = 86_400_000

/**
 * Returns the salt of `day`: the SHA-256 of the salt of the day before, so that the hashes of two days cannot be
 * linked, and processes that start with the same salt agree. If no salt is known, or only that of a later day, it is
 * random.
 */
export function saltOf(day: string, known?: CallerSalt): CallerSalt {
  const days = known === undefined ? -1 : (Date.parse(day) - Date.parse(known.day)) / dayMs
  if (known === undefined || days < 0) return { day, bytes: randomBytes(32) }
  let { bytes } = known
  for (let left = days; left > 0; left--) bytes = createHash('sha256').update(bytes).digest()
  return { day, bytes }
}

/**
 * Returns a function that hashes the IPv4 address or IPv6 /64 network of a caller with the salt of a day: 16 hex
 * digits. The salt stays in memory, so nobody can test addresses against the hashes of a past day.
 */
export function createCallerHash(salt?: CallerSalt): (address: string | undefined, day: string) => string {
  let current = salt
  return (address, day) => {
    if (day !== current?.day) current = saltOf(day, current)
    return createHmac('sha256', current.bytes).update(networkOf(address)).digest('hex').slice(0, 16)
  }
}
