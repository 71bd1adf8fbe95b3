import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Observations, SubsystemState } from '../core/discovery/discovery.ts'
import type { RootServices } from '../core/database/root-services.ts'
import { compileGeneration, type Generation } from '../core/plan/generation.ts'
import { accessLog, createLog } from '../core/http/log.ts'
import { createMetrics } from '../core/http/metrics.ts'
import { adminListener, answerProbe, type ProbeState } from '../core/http/probes.ts'
import { createSurfaceServer, stopServer } from '../core/http/server.ts'
import { SurfaceApp } from '../core/http/surface-app.ts'
import type { Observer } from '../core/http/surface-router.ts'
import { withBaseUrl } from '../core/registry/load.ts'
import { kinds } from '../core/kinds/index.ts'
import type { Registry } from '../core/registry/registry.ts'
import { Reuse } from '../core/source/reuse.ts'
import type { Config } from './config.ts'
import { openServices } from './open-services.ts'
import { listen, tryPort, type Place } from './ports.ts'
import { createProgress } from './progress.ts'
import { readRegistry } from './read-registry.ts'
import { createReload } from './reload.ts'
import { joinTables, loadRoots } from './roots.ts'
import { watchFolders } from './watch.ts'

export type ServeOptions = Readonly<{
  config: Config
  roots: readonly string[]
  watch: boolean
  /** Check each reply of a handler before it is sent; default with `watch`. */
  checkReplies?: boolean
  /** Receives what went wrong in an answer, beside the log. */
  onFault?: (error: unknown, requestId: string) => void
  /** Prints what is wrong with the manifests. */
  report: (diagnostics: readonly Diagnostic[]) => void
  /** Ends a start that is still loading; a running server is stopped with `stop()`. */
  stop?: AbortSignal
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WriteStream
}>

export type RunningServer = Readonly<{
  url: string
  app: SurfaceApp
  /** Reads manifests and corpora again, and serves what is right. */
  reload: () => void
  stop: () => Promise<void>
}>

/** The manifests have errors; they were reported. The process exits with 1. */
export class ManifestError extends Error {}

const graceMs = 9_000
const retryMs = 2_000
const healthMs = 1_000

const originOf = ({ address, port, family }: AddressInfo): string => `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** The origin of absolute links where none is configured. An address that means every address of the machine cannot be opened by a client. */
function linkedOrigin (listening: AddressInfo, stderr: NodeJS.WritableStream): string {
  if (!['0.0.0.0', '::'].includes(listening.address)) return originOf(listening)
  const origin = `http://localhost:${listening.port}`
  stderr.write(`warning: links say ${origin}, because HOST is ${listening.address}. Set PANTRY_BASE_URL to the address that others use.\n`)
  return origin
}

/** What the process knows of itself: kept fresh in the background, so that no answer waits for it. */
function observeHealth (services: Required<RootServices>): { read: () => Readonly<Record<string, SubsystemState>>, stop: () => void } {
  let subsystems: Readonly<Record<string, SubsystemState>> = {}
  const look = (): void => { void services.health().then(found => { subsystems = found }) }
  look()
  const timer = setInterval(look, healthMs)
  timer.unref()
  return { read: () => subsystems, stop: () => { clearInterval(timer) } }
}

/** Starts a server from its manifests: reads, checks, opens the stores, loads what is bundled, listens. What was opened is closed again when the start fails. */
export async function serve (options: ServeOptions): Promise<RunningServer> {
  const opened: Closers = []
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    return { ...await start(options, opened), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What ends each thing that was opened, in the order of opening. */
type Closers = (() => void | Promise<void>)[]

async function start ({ config, roots: rootNames, watch, checkReplies = watch, onFault, report, stop: asked, stdout, stderr }: ServeOptions, opened: Closers): Promise<Omit<RunningServer, 'stop'>> {
  const log = createLog(config.logLevel, stderr)
  const startedAt = new Date()
  const roots = await loadRoots(rootNames)
  const reuse = new Reuse()
  const first = readRegistry(roots, undefined, reuse)
  report(first.diagnostics)
  if (first.registry === undefined) throw new ManifestError('The manifests have errors.')

  const place: Place = { host: config.host, port: config.port, variable: 'PORT' }
  const adminPlace: Place | undefined = config.adminPort === undefined ? undefined : { host: config.host, port: config.adminPort, variable: 'PANTRY_ADMIN_PORT' }
  for (const one of [place, adminPlace]) if (one !== undefined) await tryPort(one)

  const services = await openServices(roots, first.registry, config, log, { checkRows: watch })
  opened.push(() => services.close())
  const ready = await unlessStopped(prepareStores(services, config, stderr, log, opened), asked)
  const health = observeHealth(services)
  opened.push(health.stop)
  const probe = (): ProbeState => ({ ready: ready() && !app.draining, subsystems: health.read() })

  const generationOf = (registry: Registry): Generation => compileGeneration({
    registry,
    kinds,
    handlers: joinTables(roots),
    services: services.services,
    checkReplies,
    observe: (now): Observations => ({ now, startedAt, subsystems: { process: { status: 'ok', detail: 'The process answers.' }, ...health.read() } }),
    onFault: (error, requestId) => {
      log.error({ request_id: requestId, err: error }, 'fault')
      onFault?.(error, requestId)
    }
  })

  const metrics = adminPlace === undefined ? undefined : createMetrics()
  const observers = [accessLog(log), metrics?.observe].filter(observer => observer !== undefined)
  const observe: Observer | undefined = observers.length === 0 ? undefined : event => { for (const observer of observers) observer(event) }

  const app = new SurfaceApp({ generation: generationOf(first.registry), ...(observe === undefined ? {} : { observe }) })
  if (adminPlace !== undefined && metrics !== undefined) {
    const admin = createServer(adminListener(probe, metrics))
    stderr.write(`admin port on ${originOf(await listen(admin, adminPlace))}\n`)
    opened.push(() => { admin.close() })
  }
  const server = createSurfaceServer(app, (req, res) => answerProbe(req, res, probe))
  const address = await listen(server, place)
  opened.push(() => stopServer(server, app, graceMs))
  const url = config.baseUrl ?? linkedOrigin(address, stderr)
  if (url !== first.registry.service.base_url) app.generation = generationOf(withBaseUrl(first.registry, url))
  const reload = createReload({
    first,
    read: () => readRegistry(roots, url, reuse),
    swap: registry => { app.generation = generationOf(registry) },
    report,
    say: line => { stderr.write(`${line}\n`) }
  })

  if (watch) opened.push(watchFolders(roots.map(root => root.folder), reload).close)
  stdout.write(`listening on ${originOf(address)}\n`)
  return { url: originOf(address), app, reload: () => { reload(performance.now(), true) } }
}

/** Loading is one transaction for each source: to close the stores in the middle of it leaves what was there before. */
async function unlessStopped<T> (work: Promise<T>, asked: AbortSignal | undefined): Promise<T> {
  if (asked === undefined) return await work
  // Whoever asked to stop does not wait for the work, which fails when its stores are closed.
  work.catch(() => undefined)
  const stopped = asked.aborted ? Promise.resolve() : once(asked, 'abort')
  return await Promise.race([work, stopped.then(() => { throw new Error('Stopped while starting.') })])
}

/**
 * Migrates and loads; returns whether that is done. Pantry's own database must come up; a named server may be away, and is tried again
 * until it is there, while everything that needs no store is served.
 */
async function prepareStores (services: Required<RootServices>, config: Config, stderr: NodeJS.WriteStream, log: ReturnType<typeof createLog>, opened: Closers): Promise<() => boolean> {
  const progress = createProgress(stderr)
  let ready = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  opened.push(() => {
    stopped = true
    clearTimeout(timer)
  })
  const attempt = async (): Promise<void> => {
    await services.prepare(progress)
    ready = true
  }
  const patient = async (): Promise<void> => {
    await attempt().catch((error: unknown) => {
      if (stopped) return
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'the database cannot be prepared yet')
      timer = setTimeout(() => { void patient() }, retryMs)
    })
  }
  await (config.databaseUrl === undefined ? attempt() : patient())
  return () => ready
}
