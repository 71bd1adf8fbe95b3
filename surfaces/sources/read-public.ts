import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { urlOf } from 'pantry/data'

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

/** The limits of one reading. */
type FetchBounds = Readonly<{
  /** The time limit for the whole exchange, from the name lookup to the last byte. */
  timeoutMs: number
  maxBytes: number
  /** The accepted media types, separated by commas. */
  accept: string
}>

/** The result of a reading. `unusable`: the response is too long, compressed, of another media type or not UTF-8. */
export type FetchResult = Readonly<
  | { state: 'read'; text: string }
  | { state: 'timeout' }
  | { state: 'failed' }
  | { state: 'status'; status: number }
  | { state: 'unusable' }
>

/**
 * Which servers may be contacted: public addresses over HTTPS, except in tests and for a service that the user names.
 */
export type FetchPolicy = Readonly<{
  protocol: 'https:' | 'http:'
  allows: (address: string) => boolean
  /** Resolves a name to all its addresses. */
  resolve: (name: string) => Promise<readonly Readonly<{ address: string; family: number }>[]>
}>

const publicHttps: FetchPolicy = {
  protocol: 'https:',
  allows: isPublicAddress,
  resolve: name => lookup(name, { all: true, verbatim: true })
}

/**
 * Returns the address to connect to; `undefined` when the name has none, or any that is not allowed, because such a
 * name is not trustworthy.
 */
async function addressOf(
  host: string,
  { allows, resolve }: FetchPolicy
): Promise<{ address: string; family: number } | undefined> {
  const name = host.replace(/^\[|\]$/g, '')
  const family = isIP(name)
  const found = family === 0 ? await resolve(name) : [{ address: name, family }]
  return found.every(({ address }) => allows(address)) ? found[0] : undefined
}

/** Reads a response body up to the size limit; a longer, compressed or not decodable one is `unusable`. */
async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<FetchResult> {
  if (
    (response.headers['content-encoding'] ?? 'identity') !== 'identity' ||
    Number(response.headers['content-length'] ?? 0) > maxBytes
  )
    return { state: 'unusable' }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return { state: 'unusable' }
    chunks.push(chunk)
  }
  try {
    return { state: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size)) }
  } catch {
    return { state: 'unusable' }
  }
}

function exchange(url: URL, options: RequestOptions, { accept, maxBytes }: FetchBounds): Promise<FetchResult> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    request.on('error', reject)
    request.on('response', response => {
      const status = response.statusCode ?? 0
      const type = response.headers['content-type'] ?? ''
      const reading: Promise<FetchResult> =
        status !== 200
          ? Promise.resolve({ state: 'status', status })
          : !accept.split(', ').includes(type.split(';')[0]?.trim().toLowerCase() ?? '')
            ? Promise.resolve({ state: 'unusable' })
            : bodyOf(response, maxBytes)
      reading.then(resolve, reject).finally(() => {
        request.destroy()
      })
    })
    request.end()
  })
}

/**
 * Reads the body of a GET response from an outside server. The name is resolved once, all its addresses are checked,
 * and the connection uses a checked address, so that DNS rebinding is not possible. Redirects are not followed; like
 * all statuses except 200 they are returned as the status. The time limit covers everything from the lookup to the last
 * byte, and reading stops at the size limit whatever length is declared. Never rejects.
 */
export async function fetchPublic(
  address: string,
  bounds: FetchBounds,
  reach: FetchPolicy = publicHttps
): Promise<FetchResult> {
  const url = urlOf(address)
  if (url === undefined || url.protocol !== reach.protocol || url.username !== '' || url.password !== '')
    return { state: 'failed' }
  const signal = AbortSignal.timeout(bounds.timeoutMs)
  const late = new Promise<FetchResult>(resolve => {
    signal.addEventListener('abort', () => {
      resolve({ state: 'timeout' })
    })
  })
  const read = async (): Promise<FetchResult> => {
    const chosen = await addressOf(url.hostname, reach)
    if (chosen === undefined) return { state: 'failed' }
    // Node asks for one address or for all; both return the checked one.
    const known: RequestOptions['lookup'] = (_name, { all }, found) => {
      if (all === true) found(null, [chosen])
      else found(null, chosen.address, chosen.family)
    }
    return exchange(
      url,
      {
        agent: false,
        signal,
        lookup: known,
        headers: { accept: bounds.accept, 'accept-encoding': 'identity', 'user-agent': 'pantry' }
      },
      bounds
    )
  }
  return Promise.race([
    read().catch((): FetchResult => (signal.aborted ? { state: 'timeout' } : { state: 'failed' })),
    late
  ])
}
