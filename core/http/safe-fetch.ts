import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { urlOf } from '../canonical/url.ts'
import { mayBeAsked } from './public-address.ts'

/** Milliseconds for the whole exchange, and bytes of an answer, unless a request says otherwise. */
const defaultMs = 5_000
const defaultBytes = 65_536

/** A request to a server of somebody else. */
export type OutgoingRequest = Readonly<{
  /** Default: GET. */
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** The time for all of it, from the lookup of the name to the last byte. Default: 5000. */
  timeoutMs?: number
  /** The most bytes of the answer. Default: 65,536. */
  maxBytes?: number
  /** Ends the request, as the signal of a job does. */
  signal?: AbortSignal
}>

/**
 * What came of a request. `refused`: nothing was sent, because the address is not one that may be asked. `failed`: the
 * connection, with the code of its error. `too-large`: the answer has more bytes than were asked for.
 */
export type OutgoingAnswer = Readonly<
  | { state: 'answered'; status: number; headers: Readonly<Record<string, string>>; bytes: Buffer }
  | { state: 'too-large'; status: number }
  | { state: 'refused' }
  | { state: 'timeout' }
  | { state: 'failed'; code: string }
>

/** Which servers may be asked, and how names are resolved. Only tests and a server that the user names need another. */
export type Reach = Readonly<{
  protocol: 'https:' | 'http:'
  allows: (address: string) => boolean
  /** Resolves a name to all its addresses. */
  resolve: (name: string) => Promise<readonly Readonly<{ address: string; family: number }>[]>
}>

const publicHttps: Reach = {
  protocol: 'https:',
  allows: mayBeAsked,
  resolve: name => lookup(name, { all: true, verbatim: true })
}

/**
 * Returns the address to connect to; `undefined` when the name has none, or any that may not be asked, because such a
 * name is not trustworthy.
 */
async function addressOf(
  host: string,
  { allows, resolve }: Reach
): Promise<{ address: string; family: number } | undefined> {
  const name = host.replace(/^\[|\]$/g, '')
  const family = isIP(name)
  const found = family === 0 ? await resolve(name) : [{ address: name, family }]
  return found.every(({ address }) => allows(address)) ? found[0] : undefined
}

/** Reads an answer up to the limit, whatever length is declared. */
async function answerOf(response: IncomingMessage, maxBytes: number): Promise<OutgoingAnswer> {
  const status = response.statusCode ?? 0
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return { state: 'too-large', status }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return { state: 'too-large', status }
    chunks.push(chunk)
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')])
  )
  return { state: 'answered', status, headers, bytes: Buffer.concat(chunks, size) }
}

function exchange(
  url: URL,
  options: RequestOptions,
  body: OutgoingRequest['body'],
  maxBytes: number
): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    request.on('error', reject)
    request.on('response', response => {
      answerOf(response, maxBytes)
        .then(resolve, reject)
        .finally(() => {
          request.destroy()
        })
    })
    request.end(body)
  })
}

const failed = (error: unknown): OutgoingAnswer => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
  return { state: 'failed', code: /^\w{1,64}$/.test(code) ? code : 'UNKNOWN' }
}

/**
 * Asks a server of somebody else, whose address may come from a stranger: over HTTPS, at a public address or one of
 * `PANTRY_OUTGOING_NETWORKS`. The name is resolved once, all its addresses are checked, and the connection goes to a
 * checked one, so that DNS rebinding is not possible. A redirect is a status like others and is not followed. Never
 * rejects.
 */
export async function safeFetch(
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
    timeoutMs = defaultMs,
    maxBytes = defaultBytes,
    signal: given
  }: OutgoingRequest = {},
  reach: Reach = publicHttps
): Promise<OutgoingAnswer> {
  const url = urlOf(address)
  if (url === undefined || url.protocol !== reach.protocol || url.username !== '' || url.password !== '')
    return { state: 'refused' }
  const late = AbortSignal.timeout(timeoutMs)
  const signal = given === undefined ? late : AbortSignal.any([late, given])
  const ended = (): OutgoingAnswer =>
    given?.aborted === true ? { state: 'failed', code: 'ABORTED' } : { state: 'timeout' }
  const asked = async (): Promise<OutgoingAnswer> => {
    const chosen = await addressOf(url.hostname, reach)
    if (signal.aborted) return ended()
    if (chosen === undefined) return { state: 'refused' }
    // Node asks for one address or for all; both return the checked one.
    const known: RequestOptions['lookup'] = (_name, { all }, found) => {
      if (all === true) found(null, [chosen])
      else found(null, chosen.address, chosen.family)
    }
    const own = { host: url.host, 'accept-encoding': 'identity', 'user-agent': 'pantry' }
    const options = { agent: false, method, signal, lookup: known, headers: { ...headers, ...own } }
    return await exchange(url, options, body, maxBytes)
  }
  return await Promise.race([
    asked().catch((error: unknown) => (signal.aborted ? ended() : failed(error))),
    new Promise<OutgoingAnswer>(resolve => {
      const end = (): void => {
        resolve(ended())
      }
      if (signal.aborted) end()
      signal.addEventListener('abort', end, { once: true })
    })
  ])
}
