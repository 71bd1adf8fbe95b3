import type { ServerTarget } from '../core/database/connection.ts'
import { DatabaseStartError } from '../core/database/errors.ts'
import type { RootServices } from '../core/database/root-services.ts'
import type { Sliced } from '../core/canonical/slices.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Observations, SubsystemState } from '../core/discovery/discovery.ts'
import { createLog } from '../core/http/log.ts'
import { kinds } from '../core/kinds/index.ts'
import { compilingGeneration, type Generation } from '../core/plan/generation.ts'
import type { Watch } from '../core/plan/watch.ts'
import type { Registry } from '../core/registry/registry.ts'
import { Reuse } from '../core/source/reuse.ts'
import type { Config } from './config.ts'
import { openServices } from './open-services.ts'
import { createProgress } from './progress.ts'
import { readRegistry, type ReadRegistry } from './read-registry.ts'
import { Readiness } from './readiness.ts'
import { bundleFolder, joinTables, loadRoots, type LoadedRoot } from './roots.ts'
import { unlessStopped } from './stop-request.ts'

export type PrepareOptions = Readonly<{
  config: Config
  roots: readonly string[]
  /** Check each reply of a handler before it is sent. */
  checkReplies: boolean
  /** Check the rows that answers are made of. */
  checkRows: boolean
  /** Receives what went wrong in an answer, beside the log. */
  onFault?: ((error: unknown, requestId: string) => void) | undefined
  /** Prints what is wrong with the manifests. */
  report: (diagnostics: readonly Diagnostic[]) => void
  /** Ends a start that is still loading. */
  stop?: AbortSignal | undefined
  inherited?: Inherited | undefined
  /** When the service started, where this process was not the first. */
  startedAt?: Date
  /** What this process made of the same files before. */
  reuse?: Reuse
  /** Where the bundles of a root are. */
  bundles?: (root: string) => string
  /**
   * What has to be done before anything is served: all, and a failure ends the start; or the schema alone, where the
   * stores were loaded before. Default is to wait for a named server, and to serve meanwhile.
   */
  needed?: 'all' | 'schema'
  /** Sees the stages of answers, in development. */
  watchOf?: (roots: readonly LoadedRoot[]) => Watch
  stderr: NodeJS.WriteStream
}>

/** What the process that started this one has done, so that this one does not do it. */
type Inherited = Readonly<{
  /** Files that it has read and found right. */
  files: ReadRegistry['files']
  /** Of the stores, which it migrates and loads. */
  readiness: Readiness
  startedAt: Date
}>

/** What ends each thing that was opened, in the order of opening. */
export type Closers = (() => void | Promise<void>)[]

/** A service whose stores are open, before anything listens. */
export type Prepared = Readonly<{
  log: ReturnType<typeof createLog>
  startedAt: Date
  roots: readonly LoadedRoot[]
  registry: Registry
  first: ReadRegistry
  reuse: Reuse
  generationOf: (registry: Registry) => Sliced<Generation>
  /** Logs what went wrong in an answer. */
  onFault: (error: unknown, requestId: string) => void
  readiness: Readiness
  /** Where the database is, if a root has asked for one. */
  target: () => Promise<ServerTarget | undefined>
  subsystems: () => Readonly<Record<string, SubsystemState>>
}>

/** The manifests have errors; they were reported. The process exits with 1. */
export class ManifestError extends Error {}

const retryMs = 2_000
const healthMs = 1_000

/** What the process knows of itself: kept fresh in the background, so that no answer waits for it. */
function observeHealth(
  services: Required<RootServices>,
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

/** Reads, checks, opens the stores, loads what is bundled. `whenRead` runs before anything is opened. */
export async function prepare(
  {
    config,
    roots: names,
    checkReplies,
    checkRows,
    onFault,
    report,
    stop: asked,
    inherited,
    startedAt = inherited?.startedAt ?? new Date(),
    reuse = new Reuse(),
    bundles = bundleFolder,
    needed,
    watchOf,
    stderr
  }: PrepareOptions,
  opened: Closers,
  whenRead: () => Promise<void> = async () => Promise.resolve()
): Promise<Prepared> {
  const log = createLog(config.logLevel, stderr)
  const roots = await loadRoots(names, bundles)
  // While code is edited, what a build made of the files is out of date at once, and nobody has to be told.
  if (inherited === undefined && needed === undefined)
    for (const { unusable } of roots) if (unusable !== undefined) log.warn({ subsystem: 'registry' }, unusable)
  reuse.handed = inherited?.files
  const first = readRegistry(roots, undefined, reuse)
  report(first.diagnostics)
  const { registry } = first
  if (registry === undefined) throw new ManifestError('The manifests have errors.')
  await whenRead()
  const services = await openServices(roots, registry, config, log, { checkRows })
  opened.push(() => services.close())
  const readiness = inherited?.readiness ?? new Readiness()
  // Loading is one transaction for each source: to close the stores in the middle of it leaves what was there before.
  if (inherited === undefined)
    await unlessStopped(prepareStores(services, { readiness, config, stderr, log, needed }, opened), asked)
  const health = observeHealth(services, error => {
    log.error({ err: error }, 'the services do not say how they are')
  })
  opened.push(health.stop)
  const told = (error: unknown, requestId: string): void => {
    log.error({ request_id: requestId, err: error }, 'fault')
    onFault?.(error, requestId)
  }
  const handlers = joinTables(roots)
  const watch = watchOf?.(roots)
  const generationOf = (registry: Registry): Sliced<Generation> =>
    compilingGeneration({
      registry,
      kinds,
      handlers,
      services: services.services,
      checkReplies,
      asOf: services.asOf,
      observe: (now): Observations => ({
        now,
        startedAt,
        subsystems: { process: { status: 'ok', detail: 'The process answers.' }, ...health.read() }
      }),
      onFault: told,
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
    subsystems: health.read,
    target: services.target
  }
}

type StoreOptions = Pick<PrepareOptions, 'config' | 'stderr'> &
  Readonly<{ readiness: Readiness; log: ReturnType<typeof createLog>; needed: PrepareOptions['needed'] }>

/**
 * Migrates and loads, and says when that is done. Pantry's own database must come up; a named server may be away, and
 * is tried again until it is there, while everything that needs no store is served.
 */
async function prepareStores(
  services: Awaited<ReturnType<typeof openServices>>,
  { readiness, config, stderr, log, needed }: StoreOptions,
  opened: Closers
): Promise<void> {
  const progress = createProgress(stderr)
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
    await attempt().catch((error: unknown) => {
      if (stopped) return
      // It would be the same again. Where the service listens already, an operator may still put it right.
      if (error instanceof DatabaseStartError && timer === undefined) throw error
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'the database cannot be prepared yet')
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
