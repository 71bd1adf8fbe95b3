import { resolve } from 'node:path'

/** A command cannot run as it was asked to: wrong usage or configuration. The process exits with 2. */
export class UsageError extends Error {}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type Config = Readonly<{
  host: string
  /** 0 takes any free port; the one taken is printed. */
  port: number
  databaseUrl: string | undefined
  dataDir: string
  /** Public origin for absolute links; `undefined` takes the listen address. */
  baseUrl: string | undefined
  logLevel: typeof levels[number]
  adminPort: number | undefined
}>

/** Every environment variable Pantry reads: `pantry config` is made from this list, and `docs/operating.md` has the same (`test/docs.test.ts`). */
export const variables = [
  { name: 'HOST', fallback: '127.0.0.1', meaning: 'Address to listen on.' },
  { name: 'PORT', fallback: '8080', meaning: 'Port to listen on; 0 takes any free port and prints it.' },
  { name: 'DATABASE_URL', fallback: 'embedded', meaning: 'A PostgreSQL server (14 or later). Without it Pantry runs its own in the data directory.', secret: true },
  { name: 'PANTRY_DATA_DIR', fallback: '.pantry', meaning: 'Folder of the embedded database and of what services keep, such as a secret. Processes that serve one name need the same secrets.' },
  { name: 'PANTRY_BASE_URL', fallback: 'listen address', meaning: 'Public origin used in absolute links, such as `https://api.example.org`. Set it wherever others reach the service.' },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: `One of ${levels.join(', ')}. At debug every request is a line.` },
  { name: 'PANTRY_ADMIN_PORT', fallback: 'off', meaning: 'Port for `/metrics` and `/readyz` in detail, on the same address.' },
  { name: 'PANTRY_POSTGRES_BIN', fallback: 'bundled binaries', meaning: 'Folder of other PostgreSQL binaries (`initdb`, `postgres`) for the embedded database.' },
  { name: 'NO_COLOR', fallback: 'unset', meaning: 'No colour in any output, when set.' },
  { name: 'FORCE_COLOR', fallback: 'unset', meaning: 'Colour also where no terminal is, such as in the log of a build, and stronger than `NO_COLOR`; `0` and `false` mean none.' }
] as const satisfies readonly Readonly<{ name: string, fallback: string, meaning: string, secret?: true }>[]

function portOf (name: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  throw new UsageError(`${name} must be a port from 0 to 65535, but it is \`${text}\`.`)
}

function originOf (text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`PANTRY_BASE_URL must be an origin such as https://api.example.org, but it is \`${text}\`.`)
  }
  return url.origin
}

function levelOf (text: string): Config['logLevel'] {
  const level = levels.find(name => name === text)
  if (level === undefined) throw new UsageError(`LOG_LEVEL must be one of ${levels.join(', ')}, but it is \`${text}\`.`)
  return level
}

/** The effective configuration. Throws `UsageError` that names the variable and what it may be. */
export function readConfig (env: Readonly<Record<string, string | undefined>>): Config {
  const value = (name: string): string | undefined => env[name] === '' ? undefined : env[name]
  const databaseUrl = value('DATABASE_URL')
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) throw new UsageError('DATABASE_URL must start with postgres:// or postgresql://.')
  const adminPort = value('PANTRY_ADMIN_PORT')
  const baseUrl = value('PANTRY_BASE_URL')
  return {
    host: value('HOST') ?? '127.0.0.1',
    port: portOf('PORT', value('PORT') ?? '8080'),
    databaseUrl,
    dataDir: resolve(value('PANTRY_DATA_DIR') ?? '.pantry'),
    baseUrl: baseUrl === undefined ? undefined : originOf(baseUrl),
    logLevel: levelOf(value('LOG_LEVEL') ?? 'info'),
    adminPort: adminPort === undefined ? undefined : portOf('PANTRY_ADMIN_PORT', adminPort)
  }
}
