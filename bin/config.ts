import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { basePathForm, urlOf } from '../core/canonical/url.ts'
import type { SettingsGiven } from '../core/database/root-services.ts'
import { readNetwork, type Network } from '../core/http/client.ts'
import { suggest } from '../core/diagnostics/suggest.ts'
import { wrongUrl } from './database-url.ts'
import type { ListenAddress } from './ports.ts'

/** Wrong usage or configuration; the process exits with 2. */
export class UsageError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** What the environment variables and the options of a command set, checked. */
export type Config = Readonly<{
  host: string
  /** Path of the Unix socket to listen on instead of a port; only the admin port is on `host` then. */
  socket?: string | undefined
  /** 0 means any free port, which is then printed. */
  port: number
  databaseUrl: string | undefined
  databaseReadUrl?: string | undefined
  pooler?: 'transaction' | undefined
  dataDir: string
  /** Public origin for absolute links, and the path that the service is under; `undefined` means the listen address. */
  baseUrl: string | undefined
  logLevel: (typeof levels)[number]
  adminPort: number | undefined
  /** Number of processes that answer; 1 means that this process answers itself. */
  workers: number
  /** Whether this process runs what is due in the background; undefined means that it does. */
  jobs?: boolean
  /** Proxies whose forwarding headers are trusted for the client address. */
  trustedProxies?: readonly Network[] | undefined
  /** Settings of roots by name; they take precedence over those in `env`. */
  settings?: SettingsGiven
  /** The variables from which the settings of roots are read. */
  env?: Environment
}>

/** `fallback` is the default as text. `pantry config` masks the value of a secret. */
export type Variable = Readonly<{ name: string; fallback: string; meaning: string; secret?: true }>

/**
 * The variables of Pantry itself, apart from `OTEL_*`; those of roots come from their `surfaces/settings.ts`.
 * `docs/operating.md` lists the same (`test/docs.test.ts`).
 */
export const variables = [
  {
    name: 'HOST',
    fallback: '127.0.0.1',
    meaning: 'Address to listen on, or `unix:` and the path of a socket, such as `unix:/run/pantry/pantry.sock`.'
  },
  { name: 'PORT', fallback: '8080', meaning: 'Port to listen on; 0 takes any free port and prints it.' },
  {
    name: 'DATABASE_URL',
    fallback: 'embedded',
    meaning:
      'A PostgreSQL server (14 or later): `postgres://user:password@host:5432/pantry`. Without it Pantry runs its own in the data directory.',
    secret: true
  },
  {
    name: 'DATABASE_READ_URL',
    fallback: 'none',
    meaning: 'A server with the same data. What is the same for everybody is read from it.',
    secret: true
  },
  {
    name: 'PANTRY_DATABASE_POOLER',
    fallback: 'none',
    meaning: '`transaction` where PgBouncer or another pooler in transaction mode is in front of the server.'
  },
  {
    name: 'PANTRY_DATA_DIR',
    fallback: '.pantry',
    meaning: 'Folder of the embedded database and of files that the code of a root keeps.'
  },
  {
    name: 'PANTRY_REGISTRY_DIR',
    fallback: 'beside the bundles',
    meaning:
      'Folder of the compiled registry. `pantry build` writes it and `pantry serve` reads it, at the same path of the service; only the operator may write there.'
  },
  {
    name: 'PANTRY_BASE_URL',
    fallback: 'listen address',
    meaning:
      'Public origin used in absolute links, such as `https://api.example.org`, or one with the path that the service is under, such as `https://example.org/data`. Set it wherever others reach the service.'
  },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: `One of ${levels.join(', ')}. At debug every request is a line.` },
  {
    name: 'PANTRY_ADMIN_PORT',
    fallback: 'off',
    meaning: 'Port for `/metrics` and `/readyz` in detail, on the same address; on 127.0.0.1 beside a socket.'
  },
  {
    name: 'PANTRY_WORKERS',
    fallback: '1',
    meaning: 'Processes that answer on the port: a number, or `auto` for one on each processor core.'
  },
  {
    name: 'PANTRY_JOBS',
    fallback: 'on',
    meaning: '`off` where this installation should run no jobs; another one, or `pantry job`, runs them.'
  },
  {
    name: 'PANTRY_TRUSTED_PROXIES',
    fallback: 'none',
    meaning:
      'Addresses and networks (CIDR) of proxies, with commas between them; `unix:` for one that connects to a socket. Through them the client is who they name in `X-Forwarded-For`.'
  },
  {
    name: 'PANTRY_OUTGOING_NETWORKS',
    fallback: 'none',
    meaning:
      'Networks (CIDR) that are not public and that the code of roots may ask all the same, only by HTTPS, with commas between them.'
  },
  {
    name: 'PANTRY_POSTGRES_BIN',
    fallback: 'bundled binaries',
    meaning: 'Folder of other PostgreSQL binaries (`initdb`, `postgres`) for the embedded database.'
  },
  { name: 'NO_COLOR', fallback: 'unset', meaning: 'No colour in any output, when set.' },
  {
    name: 'FORCE_COLOR',
    fallback: 'unset',
    meaning:
      'Colour also where no terminal is, such as in the log of a build, and stronger than `NO_COLOR`; `0` and `false` mean none.'
  }
] as const satisfies readonly Variable[]

function wrongValue(name: string, allowed: string, text: string): never {
  throw new UsageError(`${name} must be ${allowed}, but it is \`${text}\`.`)
}

const portOf = (name: string, text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : wrongValue(name, 'a port from 0 to 65535', text)

/** Returns an address as sockets take it: an IPv6 address without the brackets that URLs put around it. */
const hostOf = (text: string): string => /^\[(.*:.*)\]$/.exec(text)?.[1] ?? text

const unix = 'unix:'

/** Bytes of the longest path of a socket that every system takes (`sun_path` of macOS, without its end). */
const maxSocketPath = 103

/** Returns the path of the socket that HOST names, if it names one. */
function socketOf(text: string): string | undefined {
  const path = text.startsWith(unix) ? text.slice(unix.length) : undefined
  if (path === '' || (path === undefined && text.includes('/')))
    wrongValue('HOST', 'an address, or `unix:` and the path of a socket', text)
  const whole = path === undefined ? undefined : resolve(path)
  if (whole !== undefined && Buffer.byteLength(whole) > maxSocketPath)
    throw new UsageError(`HOST must be a path of at most ${maxSocketPath} bytes, but ${whole} is longer.`)
  return whole
}

const maxWorkers = 256

function workersOf(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), maxWorkers)
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= maxWorkers) return Number(text)
  return wrongValue('PANTRY_WORKERS', `a number from 1 to ${maxWorkers}, or auto`, text)
}

const basePath = new RegExp(`^${basePathForm}$`)

function baseUrlOf(text: string): string {
  const url = urlOf(text)
  return url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    basePath.test(url.pathname) &&
    url.search === '' &&
    url.hash === ''
    ? url.origin + url.pathname.replace(/\/$/, '')
    : wrongValue(
        'PANTRY_BASE_URL',
        'an origin such as https://api.example.org, or one with a path of letters, digits, `-` and `_` such as https://example.org/data',
        text
      )
}

const levelOf = (text: string): Config['logLevel'] =>
  levels.find(name => name === text) ?? wrongValue('LOG_LEVEL', `one of ${levels.join(', ')}`, text)

function databaseOf(name: string, url: string | undefined): string | undefined {
  const problem = url === undefined ? undefined : wrongUrl(url)
  if (problem !== undefined) throw new UsageError(`${name} ${problem}.`)
  return url
}

function poolerOf(text: string): 'transaction' | undefined {
  if (text === 'none') return undefined
  return text === 'transaction' ? text : wrongValue('PANTRY_DATABASE_POOLER', 'none or transaction', text)
}

const areJobsOn = (text: string): boolean =>
  text === 'on' || text === 'off' ? text === 'on' : wrongValue('PANTRY_JOBS', 'on or off', text)

/** Reads networks with commas between them. `more` names another value that is allowed, `unix:`. */
function networksOf(name: string, text: string | undefined, more = ''): readonly Network[] | undefined {
  return text?.split(',').map(one => {
    const network = readNetwork(one.trim())
    if (network === undefined || (network.family === 'unix' && more === ''))
      throw new UsageError(
        `${name} must be addresses, networks such as 10.0.0.0/8${more}, with commas between them, but it has \`${one.trim()}\`.`
      )
    return network
  })
}

/**
 * Reads and checks the variables; `options` that have a value override them. Throws a `UsageError` that names the
 * variable and its allowed values.
 */
export function readConfig(variables: Environment, options: Environment = {}): Config {
  const env = { ...variables, ...Object.fromEntries(Object.entries(options).filter(([, text]) => text !== undefined)) }
  const value = (name: string): string | undefined => (env[name] === '' ? undefined : env[name])
  const databaseUrl = databaseOf('DATABASE_URL', value('DATABASE_URL'))
  const databaseReadUrl = databaseOf('DATABASE_READ_URL', value('DATABASE_READ_URL'))
  if (databaseReadUrl !== undefined && databaseUrl === undefined)
    throw new UsageError('DATABASE_READ_URL needs DATABASE_URL, which names the server that is written to.')
  if (value('PANTRY_READ_LAG') !== undefined)
    throw new UsageError(
      'PANTRY_READ_LAG is no longer read: what routes DATABASE_READ_URL decides how far its server may be behind, such as HAProxy with `/read-only?lag=` of Patroni. Remove it.'
    )
  // Requests of the code of roots read it where they are made.
  networksOf('PANTRY_OUTGOING_NETWORKS', value('PANTRY_OUTGOING_NETWORKS'))
  const adminPort = value('PANTRY_ADMIN_PORT')
  const baseUrl = value('PANTRY_BASE_URL')
  const host = value('HOST') ?? '127.0.0.1'
  const socket = socketOf(host)
  return {
    host: socket === undefined ? hostOf(host) : '127.0.0.1',
    ...(socket === undefined ? {} : { socket }),
    port: portOf('PORT', value('PORT') ?? '8080'),
    databaseUrl,
    databaseReadUrl,
    pooler: poolerOf(value('PANTRY_DATABASE_POOLER') ?? 'none'),
    dataDir: resolve(value('PANTRY_DATA_DIR') ?? '.pantry'),
    baseUrl: baseUrl === undefined ? undefined : baseUrlOf(baseUrl),
    logLevel: levelOf(value('LOG_LEVEL') ?? 'info'),
    adminPort: adminPort === undefined ? undefined : portOf('PANTRY_ADMIN_PORT', adminPort),
    workers: workersOf(value('PANTRY_WORKERS') ?? '1'),
    jobs: areJobsOn(value('PANTRY_JOBS') ?? 'on'),
    trustedProxies: networksOf('PANTRY_TRUSTED_PROXIES', value('PANTRY_TRUSTED_PROXIES'), ', or `unix:`'),
    env
  }
}

/** Returns a warning for each `PANTRY_` variable that is unknown and has a name close to that of a known one. */
export function misspelt(env: Environment, known: readonly Variable[]): readonly string[] {
  const names = known.map(({ name }) => name)
  return Object.keys(env)
    .filter(name => name.startsWith('PANTRY_'))
    .flatMap(name => {
      const nearest = suggest(name, names)
      return nearest === undefined || nearest === name
        ? []
        : [`${name} is no setting of Pantry. Did you mean ${nearest}?`]
    })
}

/** Where the service listens. */
export const placeOf = ({ host, port, socket }: Config): ListenAddress =>
  socket === undefined ? { host, port, variable: 'PORT' } : { path: socket }

export const databaseOptions = ({ databaseUrl, databaseReadUrl, pooler, dataDir }: Config) => ({
  url: databaseUrl,
  readUrl: databaseReadUrl,
  pooler,
  dataDir
})
