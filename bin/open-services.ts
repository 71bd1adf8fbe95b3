import { setTimeout as sleep } from 'node:timers/promises'
import type { Callers } from '../core/access/access.ts'
import { joinCallers } from '../core/access/join-callers.ts'
import type { Log, ServerTarget } from '../core/database/connection.ts'
import { openDatabase, type Database } from '../core/database/database.ts'
import type { Corpus } from '../core/corpus/corpus.ts'
import type { InSnapshot } from '../core/plan/answer.ts'
import { openJobs, type Jobs } from '../core/database/jobs/runner.ts'
import { migrate } from '../core/database/migrations.ts'
import type { Progress, RootServices, ServiceLog } from '../core/database/root-services.ts'
import { deliver } from '../core/database/webhooks/deliver.ts'
import type { WebhookTypes } from '../core/database/webhooks/types.ts'
import { openWebhooks } from '../core/database/webhooks/webhooks.ts'
import { compareTables, hasTables } from '../core/database/tables/compare.ts'
import { watchTables } from '../core/database/tables/watch.ts'
import type { SubsystemState } from '../core/discovery/define.ts'
import { declaredCorpora } from '../core/manifest/kind.ts'
import type { AnswerOnce, Rows } from '../core/plan/kind.ts'
import type { Registry } from '../core/registry/registry.ts'
import { databaseOptions, type Config } from './config.ts'
import { joinMigrations, refuseRepeated } from './root-modules.ts'
import type { LoadedRoot, AnyServices } from './roots.ts'
import { readSettings } from './settings.ts'

/** Milliseconds for roots to end their background work. */
const closeMs = 500

type AskHealth = () => Promise<Readonly<Record<string, SubsystemState>>>

/** Milliseconds for a root to say how its services are. */
const healthMs = 5_000

/**
 * Returns what asks a root how its services are. If a root does not say so in time, or throws, what it said last stays,
 * and a part of its name is `degraded`, which the log says once; the states of others do not wait for it. It is asked
 * again once it has answered.
 */
function askingHealth(opened: RootServices & Readonly<{ root: string }>, log: ServiceLog): AskHealth {
  const { root } = opened
  let asked: ReturnType<AskHealth> | undefined
  let last: Awaited<ReturnType<AskHealth>> = {}
  let isTold = false
  return async () => {
    asked ??= (async () => (await opened.health?.()) ?? {})().finally(() => {
      asked = undefined
    })
    const over = new AbortController()
    const late = sleep(healthMs, undefined, { ref: false, signal: over.signal }).then(() => {
      throw new Error(`Nothing came within ${healthMs / 1000} s.`)
    })
    try {
      last = await Promise.race([asked, late])
      isTold = false
      return last
    } catch (error) {
      if (!isTold) log.error({ err: error }, `The services of \`${root}\` do not say how they are.`)
      isTold = true
      return { ...last, [`services:${root}`]: { status: 'degraded', detail: 'They do not say how they are.' } }
    } finally {
      over.abort()
    }
  }
}

export function plainLog(log: ServiceLog): Log {
  const level = (name: keyof Log) => (message: string) => {
    log[name]({ subsystem: 'database' }, message)
  }
  return { info: level('info'), warn: level('warn'), error: level('error') }
}

/**
 * Merges the services of all roots. Throws a UsageError if two have a service of the same name, except `callers`, which
 * are joined.
 */
function joinServices(opened: readonly Readonly<{ root: string; services: AnyServices }>[]): AnyServices {
  const others = (names: readonly string[]): readonly string[] => names.filter(name => name !== 'callers')
  const named = opened.map(({ root, services }) => ({ name: root, names: others(Object.keys(services)) }))
  refuseRepeated('service', named, 'Rename one of them.')
  const callers = opened.flatMap(({ services }) => ('callers' in services ? [services['callers']] : []))
  const joined = callers.length > 1 ? { callers: joinCallers(callers as readonly Callers<string>[]) } : {}
  return Object.assign({}, ...opened.map(({ services }) => services), joined) as AnyServices
}

/** Returns the jobs of all roots. Throws a UsageError if two have one of the same name. */
function joinJobs(roots: readonly Pick<LoadedRoot, 'name' | 'jobs'>[]): LoadedRoot['jobs'] {
  const named = roots.map(({ name, jobs }) => ({ name, names: jobs.map(job => job.name) }))
  refuseRepeated('job', named, 'Rename one of them.')
  return roots.flatMap(({ jobs }) => jobs)
}

/** Returns the types of webhooks of all roots. Throws a UsageError if two have one of the same name. */
function joinWebhooks(roots: readonly Pick<LoadedRoot, 'name' | 'webhooks'>[]): WebhookTypes {
  const named = roots.map(({ name, webhooks = {} }) => ({ name, names: Object.keys(webhooks) }))
  refuseRepeated('webhook', named, 'Rename one of them.')
  return Object.assign({}, ...roots.map(({ webhooks }) => webhooks)) as WebhookTypes
}

/** Returns the job that sends what was told, where a root tells something. */
const senderOf = (types: WebhookTypes, database: () => Promise<Database>, { dataDir }: Config): LoadedRoot['jobs'] =>
  Object.keys(types).length === 0
    ? []
    : [
        {
          name: 'webhooks',
          job: {
            every: '5 seconds',
            deadline: 120,
            run: async (_services, { signal }) => {
              await deliver({ database: await database(), dataDir, signal })
            }
          }
        }
      ]

/**
 * `checkRows`: check rows of the database against their schemas, in development and tests. `share`: another process of
 * this machine may run the embedded database. `isPatient`: as `openDatabase` has it.
 */
type OpenOptions = Readonly<{ checkRows?: boolean; share?: boolean; isPatient?: boolean }>

type OpenedServices = Required<Omit<RootServices, 'fillForTests'>> &
  Readonly<{
    /** Fills the stores of all roots that can; undefined if none can. */
    fillForTests: (() => Promise<void>) | undefined
    /** Runs the migrations of all roots, which is also the first step of `prepare`. */
    migrate: () => Promise<void>
    /** Returns the address of the database, if it is open. */
    target: () => Promise<ServerTarget | undefined>
    jobs: Jobs
    /** Returns the reader of the rows of a corpus with a table. */
    tables: (corpus: Corpus) => Rows
    /** Runs work with one snapshot of the data; undefined if one server is read and written. */
    inSnapshot: InSnapshot | undefined
    /** Answers a request with an idempotency key once. */
    once: AnswerOnce
  }>

/** Opens the services of all roots, over one database that is opened when a root or a migration first needs it. */
export async function openServices(
  roots: readonly LoadedRoot[],
  registry: Registry,
  config: Config,
  log: ServiceLog,
  { checkRows = false, share = false, isPatient = false }: OpenOptions = {}
): Promise<OpenedServices> {
  let opening: Promise<Database> | undefined
  let held: Database | undefined
  let jobs: Jobs | undefined
  const open = async (): Promise<Database> =>
    (held = await openDatabase({
      ...databaseOptions(config),
      processes: config.workers,
      share,
      isPatient,
      isService: !isPatient,
      log: plainLog(log),
      checkRows
    }))
  const database = (): Promise<Database> => (opening ??= open())
  const tables = watchTables(async () => (await database()).reading)
  const migrations = joinMigrations(roots)
  const opened: (RootServices & Readonly<{ root: string }>)[] = []
  const asking: AskHealth[] = []

  async function migrateAll(): Promise<void> {
    if (migrations.length === 0) return
    const ran = await migrate((await database()).bulk, migrations)
    if (ran.length > 0) log.info({ migrations: ran }, 'The schema is up to date.')
  }

  /** Logs how tables differ from their declarations. What differs is answered with 503. */
  async function logDifferences(): Promise<void> {
    if (!hasTables(registry)) return
    for (const { code, severity, message, hint } of await compareTables((await database()).bulk, registry))
      log[severity === 'error' ? 'error' : 'warn']({ code, fix: hint }, message)
  }

  async function prepare(progress: Progress): Promise<void> {
    await migrateAll()
    await logDifferences()
    for (const root of opened) await root.prepare?.(progress)
  }

  async function health(): Promise<Record<string, SubsystemState>> {
    const own = opening === undefined ? {} : { database: await (await opening).health() }
    return Object.assign(
      own,
      ...(await Promise.all([...asking.map(ask => ask()), jobs?.health() ?? {}, tables.health()]))
    ) as Record<string, SubsystemState>
  }

  async function close(): Promise<void> {
    // Closing the connections also ends what a root still waits for in a database that hangs.
    await Promise.race([
      Promise.all(
        opened.map(async root => {
          await root.close?.()
        })
      ),
      sleep(closeMs, undefined, { ref: false })
    ])
    // A database that failed to open needs no closing.
    await (await opening?.catch(() => undefined))?.close()
  }

  try {
    const types = joinWebhooks(roots)
    const webhooks = openWebhooks(types)
    for (const { name, openServices: openRoot, reads, settings } of roots) {
      if (openRoot === undefined) continue
      opened.push({
        ...(await openRoot({
          database,
          dataDir: config.dataDir,
          service: registry.service,
          settings: settings === undefined ? {} : readSettings(settings, config.env ?? {}, config.settings),
          corpora: declaredCorpora(reads?.corpora, registry.corpora),
          log,
          webhooks
        })),
        root: name
      })
    }
    asking.push(...opened.map(root => askingHealth(root, log)))
    const services = joinServices(opened)
    const fills = opened.flatMap(({ fillForTests }) => fillForTests ?? [])
    const sender = { name: 'pantry', jobs: senderOf(types, database, config) }
    jobs = openJobs({ jobs: joinJobs([sender, ...roots]), database, services, log })
    return {
      services,
      jobs,
      prepare,
      migrate: migrateAll,
      health,
      close,
      fillForTests:
        fills.length === 0
          ? undefined
          : async () => {
              for (const fill of fills) await fill()
            },
      target: async () => (await opening)?.target,
      tables: tables.rows,
      once: async (request, work) => await (await database()).once(request, work),
      inSnapshot: config.databaseReadUrl === undefined ? undefined : work => held?.inSnapshot?.(work)
    }
  } catch (error) {
    await close()
    throw error
  }
}
