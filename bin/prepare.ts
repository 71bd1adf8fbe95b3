import type { Callers } from '../core/access/access.ts'
import { runSync, type SlicedWork } from '../core/canonical/work.ts'
import type { ServerTarget } from '../core/database/connection.ts'
import { OperatorFault } from '../core/database/fault.ts'
import { MigrationError } from '../core/database/errors.ts'
import type { Jobs } from '../core/database/jobs/runner.ts'
import type { RootServices } from '../core/database/root-services.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Observations, SubsystemState } from '../core/discovery/define.ts'
import { SurfaceError } from '../core/handler/errors.ts'
import { joinHooks } from '../core/http/hooks.ts'
import { createLog } from '../core/http/log.ts'
import { SurfaceRouter } from '../core/http/surface-router.ts'
import { kinds } from '../core/kinds/index.ts'
import { compileGenerationInSlices, type Generation } from '../core/plan/generation.ts'
import type { Tracer } from '../core/plan/request.ts'
import { withBaseUrl } from '../core/registry/load.ts'
import type { Registry } from '../core/registry/registry.ts'
import { LoadCache } from '../core/source/read-folder.ts'
import type { Config } from './config.ts'
import { faultOf } from './faults.ts'
import { FindingsError } from './io.ts'
import { logUnavailable } from './log-unavailable.ts'
import { openServices } from './open-services.ts'
import { createProgress } from './progress.ts'
import { readRegistry, type ReadRegistry } from './read-registry.ts'
import { bundleFolder, joinTables, loadRoots, type LoadedRoot } from './roots.ts'
import { unlessStopped } from './stop-request.ts'
import { tellOfWaits } from './waits.ts'

type PrepareOptions = Readonly<{
  config: Config
  roots: readonly string[]
  checkReplies: boolean
  /** Check the rows from which responses are built. */
  checkRows: boolean
  /** Receives what is thrown while a request is answered, in addition to the log. */
  onFault?: ((error: unknown, requestId: string) => void) | undefined
  /**
   * Receives the fault, which waiting cannot help, that a later attempt to prepare a named server meets. Without it the
   * fault is logged, and the server is tried again.
   */
  onLost?: ((error: OperatorFault) => void) | undefined
  report: (diagnostics: readonly Diagnostic[]) => void
  /** Aborts a start that is still loading. */
  stop?: AbortSignal | undefined
  inherited?: Inherited | undefined
  /** When the service started, if another process served before. */
  startedAt?: Date
  /** What this process computed before from the same files. */
  reuse?: LoadCache
  bundles?: (root: string) => string
  /**
   * What must be done before requests are served. `all`: migrations and loading, and a failure ends the start.
   * `schema`: only the migrations, for stores that were loaded before. Default: `all` for the embedded database; a
   * named server that cannot be reached is retried while requests are served.
   */
  needed?: 'all' | 'schema'
  /** Creates the watch that records stages, in development. */
  watchOf?: (roots: readonly LoadedRoot[]) => Tracer
  /** Log sentences, also where stderr is no terminal. */
  isLogPlain?: boolean
  stderr: NodeJS.WriteStream
}>

/** What the parent process has already done. */
type Inherited = Readonly<{
  /** Read by the parent and valid. */
  files: ReadRegistry['files']
  /** Whether the stores are ready, which the parent migrates and loads. */
  readiness: Readiness
  startedAt: Date
}>

/** Functions that close what was opened, in the order of opening; `closeAll` calls the last one first. */
export type Closers = (() => void | Promise<void>)[]

export async function closeAll(opened: Closers): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close()
}

type Stoppable = Readonly<{ stop: () => Promise<void> }>

/** Adds `stop` to the result of `start`, which closes what `start` opened. If `start` fails, that is closed at once. */
export async function stoppable<T extends object>(start: (opened: Closers) => Promise<T>): Promise<T & Stoppable> {
  const opened: Closers = []
  const stop = (): Promise<void> => closeAll(opened)
  try {
    return Object.assign(await start(opened), { stop })
  } catch (error) {
    await stop()
    throw error
  }
}

/** A service whose stores are open, before it listens. */
export type Prepared = Readonly<{
  log: ReturnType<typeof createLog>
  startedAt: Date
  roots: readonly LoadedRoot[]
  registry: Registry
  first: ReadRegistry
  reuse: LoadCache
  generationOf: (registry: Registry) => SlicedWork<Generation>
  onFault: (error: unknown, requestId: string) => void
  readiness: Readiness
  /** What identifies callers, if a root has it. */
  callers: Callers<string> | undefined
  /** Fills the stores of the roots that can be filled for tests, if one can. */
  fillForTests: (() => Promise<void>) | undefined
  /** Returns the address of the database, if it is open. */
  target: () => Promise<ServerTarget | undefined>
  jobs: Pick<Jobs, 'abort' | 'metrics'>
  subsystems: () => Readonly<Record<string, SubsystemState>>
}>

const retryMs = 2_000
const healthMs = 1_000

/** Reads the health of the services every second, so that no response waits for it. */
function observeHealth(
  services: Required<Pick<RootServices, 'health'>>,
  onFailure: (error: unknown) => void
): { read: () => Readonly<Record<string, SubsystemState>>; stop: () => void } {
  let subsystems: Readonly<Record<string, SubsystemState>> = {}
  let isLooking = false
  const look = (): void => {
    if (isLooking) return
    isLooking = true
    services
      .health()
      .then(found => {
        subsystems = found
      })
      .catch(onFailure)
      .finally(() => {
        isLooking = false
      })
  }
  look()
  const timer = setInterval(look, healthMs)
  timer.unref()
  return {
    read: () => subsystems,
    stop: () => {
      clearInterval(timer)
    }
  }
}

/**
 * Reads and checks the manifests, opens the stores, and loads bundled data. `whenRead` runs before anything is opened.
 */
export async function prepare(
  {
    config,
    roots: names,
    checkReplies,
    checkRows,
    onFault,
    onLost,
    report,
    stop: asked,
    inherited,
    startedAt = inherited?.startedAt ?? new Date(),
    reuse = new LoadCache(),
    bundles = bundleFolder,
    needed,
    watchOf,
    isLogPlain,
    stderr
  }: PrepareOptions,
  opened: Closers,
  whenRead: () => Promise<void> = async () => Promise.resolve()
): Promise<Prepared> {
  const log = createLog(config.logLevel, stderr, isLogPlain)
  tellOfWaits(line => {
    log.warn({ subsystem: 'start' }, line)
  })
  const roots = await loadRoots(names, bundles)
  // While code is edited, compiled files are always out of date.
  if (inherited === undefined && needed === undefined)
    for (const { unusable } of roots) if (unusable !== undefined) log.warn({ subsystem: 'registry' }, unusable)
  reuse.handed = inherited?.files
  const first = readRegistry(roots, undefined, reuse)
  report(first.diagnostics)
  const { registry } = first
  if (registry === undefined) throw new FindingsError('The manifests have errors.')
  await whenRead()
  const services = await openServices(roots, registry, config, log, { checkRows })
  opened.push(() => services.close())
  const readiness = inherited?.readiness ?? new Readiness()
  // Each source is loaded in one transaction, so closing the stores during a load keeps the previous data.
  if (inherited === undefined)
    await unlessStopped(prepareStores(services, { readiness, config, stderr, log, needed, onLost }, opened), asked)
  const health = observeHealth(services, error => {
    log.error({ err: error }, 'the services do not say how they are')
  })
  opened.push(health.stop)
  // Workers leave jobs to their main process, so that none of them makes an answer late.
  if (inherited === undefined && config.jobs !== false) {
    opened.push(services.jobs.stop)
    readiness.whenReached(services.jobs.start)
  }
  const told = (error: unknown, requestId: string): void => {
    log.error(
      {
        request_id: requestId,
        err: error instanceof Error ? error : new Error(`What was thrown is no error: ${String(error).slice(0, 200)}`)
      },
      'fault'
    )
    onFault?.(error, requestId)
  }
  const handlers = joinTables(roots)
  const watch = watchOf?.(roots)
  const generationOf = (registry: Registry): SlicedWork<Generation> =>
    compileGenerationInSlices({
      registry,
      kinds,
      handlers,
      services: services.services,
      checkReplies,
      inSnapshot: services.inSnapshot,
      once: services.once,
      tables: services.tables,
      observe: (now): Observations => ({
        now,
        startedAt,
        subsystems: { process: { status: 'ok', detail: 'The process answers.' }, ...health.read() }
      }),
      onFault: told,
      onUnavailable: logUnavailable(log),
      ...(watch === undefined ? {} : { watch })
    })
  return {
    log,
    startedAt,
    roots,
    registry,
    first,
    reuse,
    generationOf,
    onFault: told,
    readiness,
    callers: services.services['callers'] as Callers<string> | undefined,
    fillForTests: services.fillForTests,
    subsystems: health.read,
    target: services.target,
    jobs: services.jobs
  }
}

type StoreOptions = Pick<PrepareOptions, 'config' | 'stderr' | 'onLost'> &
  Readonly<{ readiness: Readiness; log: ReturnType<typeof createLog>; needed: PrepareOptions['needed'] }>

/**
 * Migrates and loads the stores, as `needed` says. By default the embedded database must start, and a named server that
 * cannot be reached is retried every two seconds, while everything that needs no store is served. A fault that waiting
 * cannot help ends the first attempt, and is given to `onLost` by a later one.
 */
async function prepareStores(
  services: Awaited<ReturnType<typeof openServices>>,
  { readiness, config, stderr, log, needed, onLost }: StoreOptions,
  opened: Closers
): Promise<void> {
  // On a pipe all of stderr that comes of itself is the log.
  const progress = createProgress(stderr, stderr.isTTY, undefined, line => {
    log.info({ subsystem: 'database' }, line)
  })
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  opened.push(() => {
    stopped = true
    clearTimeout(timer)
  })
  const attempt = async (): Promise<void> => {
    await services.prepare(progress)
    readiness.reach()
  }
  const patient = async (): Promise<void> => {
    await attempt().catch((thrown: unknown) => {
      if (stopped) return
      const error = thrown instanceof SurfaceError && thrown.cause instanceof OperatorFault ? thrown.cause : thrown
      // A retry would fail in the same way, unless only a time limit was over, or code failed: another process may have
      // written the same rows at the same time.
      if (
        error instanceof OperatorFault &&
        error.code !== 'O901' &&
        !(error instanceof MigrationError && error.mayPass)
      ) {
        if (timer === undefined) throw error
        if (onLost !== undefined) {
          onLost(error)
          return
        }
      }
      const { code, message: reason } = faultOf(error)
      log.warn({ code, reason }, 'the database cannot be prepared yet')
      timer = setTimeout(() => {
        void patient()
      }, retryMs)
    })
  }
  if (needed === 'schema') {
    await services.migrate()
    patient().catch((error: unknown) => {
      log.error({ err: error }, 'the stores are not loaded')
    })
  } else await (config.databaseUrl === undefined || needed === 'all' ? attempt() : patient())
}

/** Whether the stores are migrated and loaded. */
export class Readiness {
  readonly #ready = new AbortController()

  get isReached(): boolean {
    return this.#ready.signal.aborted
  }

  reach(): void {
    this.#ready.abort()
  }

  /** Calls `call` once, at once if the stores are ready. */
  whenReached(call: () => void): void {
    if (this.isReached) call()
    else this.#ready.signal.addEventListener('abort', call, { once: true })
  }
}

/** The surfaces of the roots as an @koa/router; `stop` closes everything that was opened for it. */
export type Mounted = SurfaceRouter & Stoppable

/** Opens a service without an HTTP server. */
export const mount = (options: PrepareOptions): Promise<Mounted> =>
  stoppable(async opened => {
    const { roots, registry, generationOf, onFault } = await prepare(options, opened)
    const { before, observers } = joinHooks(
      roots.map(({ hooks }) => hooks),
      onFault
    )
    return new SurfaceRouter({
      generation: runSync(generationOf(withBaseUrl(registry, options.config.baseUrl ?? registry.service.base_url))),
      before,
      observers
    })
  })
