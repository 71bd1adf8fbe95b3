import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { OperatorFault } from './fault.ts'
import { codeOf } from './errors.ts'

/** The modes of libpq (PostgreSQL manual, 34.19.3), from the weakest to the strongest. */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** The parameters of a URL that name files. */
const sslFiles = ['sslcert', 'sslkey', 'sslrootcert', 'sslcrl'] as const

/** The parameters that bound the version of TLS, and the versions from the lowest, as Node.js writes them. */
const versionBounds = ['ssl_min_protocol_version', 'ssl_max_protocol_version'] as const
const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

type SslMode = (typeof sslModes)[number]

/** Parameters that are read here. `pg` reads some of them in another way, so it does not get them. */
const names: readonly string[] = [...sslFiles, ...versionBounds, 'sslmode', 'sslpassword', 'ssl', 'uselibpqcompat']

/** A way to connect: the URL without what says how, and whether and how it is encrypted. */
type Way = Readonly<Required<Pick<ClientConfig, 'connectionString'>> & Pick<ClientConfig, 'ssl'>>

const nameOf = (parameter: string): string => [...new URLSearchParams(parameter).keys()][0] ?? ''

/** Splits a URL into what is before its query, and the parameters as they are written. */
function split(url: string): readonly [string, readonly string[]] {
  const at = url.indexOf('?')
  return at < 0 ? [url, []] : [url.slice(0, at), url.slice(at + 1).split('&')]
}

/** Tells whether a URL names the folder of a socket. libpq does not encrypt what goes through one. */
const isSocket = (address: string, query: URLSearchParams): boolean =>
  /^[^/]*\/\/(?:[^/@]*@)?%2f/i.test(address) || query.get('host')?.startsWith('/') === true

const lastOf = (query: URLSearchParams, name: string): string | undefined => query.getAll(name).at(-1)

/** Returns the mode as it is written: in the URL, else in the environment, as for libpq. `ssl` is a word of `pg`. */
const writtenMode = (query: URLSearchParams): string | undefined =>
  lastOf(query, 'sslmode') ?? (query.has('ssl') ? undefined : process.env['PGSSLMODE'] || undefined)

/** Returns the mode of a URL; a file that it names asks for `verify-full`. */
function modeOf(query: URLSearchParams): SslMode | undefined {
  const text = writtenMode(query)
  const isNamed = sslFiles.some(name => query.has(name))
  return text === undefined && isNamed ? 'verify-full' : sslModes.find(mode => mode === text)
}

/** Returns the bounds of the version of TLS. libpq compares them without regard to case. */
const versionsOf = (query: URLSearchParams) =>
  versionBounds.map(name => tlsVersions.find(one => one.toLowerCase() === lastOf(query, name)?.toLowerCase()))

/**
 * Returns the options of TLS. With a root certificate the server must have one that it signed, in every mode (as for
 * libpq); `verify-ca` and `verify-full` take the authorities that Node.js knows where none is named. The files are read
 * for each connection, so that they can be renewed.
 */
function optionsOf(mode: SslMode, query: URLSearchParams): ConnectionOptions {
  const read = (name: (typeof sslFiles)[number]): string | undefined => {
    const file = lastOf(query, name)
    return file === undefined || file === '' || (name === 'sslrootcert' && file === 'system')
      ? undefined
      : readFileSync(file, 'utf8')
  }
  const [cert, key, ca, crl] = sslFiles.map(read)
  const passphrase = lastOf(query, 'sslpassword')
  const [minVersion, maxVersion] = versionsOf(query)
  return {
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(ca === undefined ? {} : { ca }),
    ...(crl === undefined ? {} : { crl }),
    ...(minVersion === undefined ? {} : { minVersion }),
    ...(maxVersion === undefined ? {} : { maxVersion }),
    rejectUnauthorized: ca !== undefined || mode.startsWith('verify'),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined })
  }
}

/** Returns what is wrong with the parameters of TLS in a URL as the end of a sentence. */
export function tlsProblem(query: URLSearchParams): string | undefined {
  const mode = modeOf(query)
  if (writtenMode(query) !== undefined && mode === undefined)
    return query.has('sslmode')
      ? `must have an \`sslmode\` of ${sslModes.join(', ')}`
      : `has no \`sslmode\`, and PGSSLMODE is none of ${sslModes.join(', ')}`
  if (query.get('sslnegotiation') === 'direct' && !query.has('ssl') && isWeak(mode ?? 'disable'))
    return 'must have an `sslmode` of require, verify-ca or verify-full with `sslnegotiation=direct`'
  if (query.get('sslrootcert') === 'system' && mode !== undefined && mode !== 'verify-full')
    return 'must have `sslmode=verify-full` with `sslrootcert=system`'
  if (query.has('sslcert') !== query.has('sslkey')) return 'must have both `sslcert` and `sslkey`, or none of them'
  const versions = versionsOf(query)
  const [lowest = 0, highest = tlsVersions.length] = versions.map(one => one && tlsVersions.indexOf(one))
  if (versionBounds.some((name, at) => query.has(name) && versions[at] === undefined) || lowest > highest)
    return `must have an \`ssl_min_protocol_version\`, and an \`ssl_max_protocol_version\` not below it, of ${tlsVersions.join(', ')}`
  if (!sslFiles.some(name => query.has(name))) return undefined
  try {
    const options = optionsOf('verify-full', query)
    createSecureContext(options)
    // A context takes any text as its authorities, and knows none then.
    if (typeof options.ca === 'string') new X509Certificate(options.ca)
    return undefined
  } catch (error) {
    return `names a file in \`sslcert\`, \`sslkey\`, \`sslrootcert\` or \`sslcrl\` that cannot be used: ${(error as Error).message}`
  }
}

const isWeak = (mode: SslMode): boolean => sslModes.indexOf(mode) < sslModes.indexOf('require')

/**
 * Returns the ways to connect to the server of a URL, in the order of libpq: `prefer` is TLS, else plain; `allow` is
 * the reverse. A URL without a mode is left to `pg`.
 */
function waysOf(url: string): readonly Way[] {
  const [address, parameters] = split(url)
  const query = new URLSearchParams(parameters.join('&'))
  const mode = modeOf(query)
  if (mode === undefined) return [{ connectionString: url }]
  const kept = parameters.filter(parameter => !names.includes(nameOf(parameter)))
  const connectionString = kept.length === 0 ? address : `${address}?${kept.join('&')}`
  const plain: Way = { connectionString, ssl: false }
  if (mode === 'disable' || isSocket(address, query)) return [plain]
  const secure: Way = { connectionString, ssl: optionsOf(mode, query) }
  if (mode === 'allow') return [plain, secure]
  return mode === 'prefer' ? [secure, plain] : [secure]
}

/** The message of `pg` for a server that does not speak TLS. */
const withoutTls = 'The server does not support SSL connections'

/** Codes of Node.js for a certificate that is not trusted, and for two sides that find no common form of TLS. */
const untrusted = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH|^ERR_SSL_|^ERR_OSSL_|^EPROTO$/

const isTlsFault = (error: Error): boolean => error.message === withoutTls || untrusted.test(codeOf(error))

/** Whether another way may succeed: TLS is at fault, or the server refuses this way for the user (28000). */
const isRefusedSo = (error: unknown): boolean =>
  error instanceof Error && (isTlsFault(error) || codeOf(error) === '28000')

function toTlsError(error: unknown): unknown {
  if (!(error instanceof Error) || !isTlsFault(error)) return error
  return error.message === withoutTls
    ? new OperatorFault(
        'O104',
        'The database server does not speak TLS, which its address asks for.',
        'Turn on TLS in the server, or set `sslmode=prefer` or `sslmode=disable` in the URL.',
        error
      )
    : new OperatorFault(
        'O104',
        `There is no TLS connection to the database server: ${error.message}.`,
        'Name the certificate of its authority with `sslrootcert` in the URL, and the host that its certificate is for; or set a weaker `sslmode`.',
        error
      )
}

/** Connects to the server of a URL in one of the ways that it allows. A fault of TLS is a OperatorFault. */
export async function connectInWays<T>(url: string, connect: (way: Way) => Promise<T>): Promise<T> {
  const [first, second] = waysOf(url)
  try {
    return await connect(first ?? { connectionString: url })
  } catch (error) {
    if (second === undefined || !isRefusedSo(error)) throw toTlsError(error)
  }
  try {
    return await connect(second)
  } catch (error) {
    throw toTlsError(error)
  }
}
