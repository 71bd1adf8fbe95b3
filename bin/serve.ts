import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Observations, SubsystemState } from '../core/discovery/discovery.ts'
import { discoveryModules } from '../core/discovery/index.ts'
import type { RootServices } from '../core/handler/root-services.ts'
import { compileGeneration, type Generation } from '../core/http/generation.ts'
import { accessLog, createLog } from '../core/http/log.ts'
import { createMetrics } from '../core/http/metrics.ts'
import { adminListener, answerProbe, type ProbeState } from '../core/http/probes.ts'
import { createSurfaceServer, stopServer } from '../core/http/server.ts'
import { SurfaceApp, type Observer } from '../core/http/surface-app.ts'
import { withBaseUrl } from '../core/registry/load.ts'
import type { Registry } from '../core/registry/registry.ts'
import type { Config } from './config.ts'
import { openServices } from './open-services.ts'
import { createProgress } from './progress.ts'
import { readRegistry } from './read-registry.ts'
import { joinTables, loadRoots, type LoadedRoot } from './roots.ts'
import { watchFolders } from './watch.ts'

export type ServeOptions = Readonly<{
  config: Config
  roots: readonly string[]
  watch: boolean
  /** Prints what is wrong with the manifests. */
  report: (diagnostics: readonly Diagnostic[]) => void
  /** Ends a start that is still loading; a running server is stopped with `stop()`. */
  stop?: AbortSignal
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WriteStream
}>

export type RunningServer = Readonly<{ url: string, app: SurfaceApp, stop: () => Promise<void> }>

/** The manifests have errors; they were reported. The process exits with 1. */
export class ManifestError extends Error {}

const graceMs = 9_000
const retryMs = 2_000
const healthMs = 1_000

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> => new Promise((resolve, reject) => {
  server.once('error', reject)
  server.listen(port, host, () => { resolve(server.address() as AddressInfo) })
})

const originOf = ({ address, port, family }: AddressInfo): string => `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** What the process knows of itself: kept fresh in the background, so that no answer waits for it. */
function observeHealth (services: RootServices): { read: () => Readonly<Record<string, SubsystemState>>, stop: () => void } {
  let subsystems: Readonly<Record<string, SubsystemState>> = {}
  const look = (): void => { void services.health().then(found => { subsystems = found }) }
  look()
  const timer = setInterval(look, healthMs)
  timer.unref()
  return { read: () => subsystems, stop: () => { clearInterval(timer) } }
}

/** Starts a server from its manifests: reads, checks, opens the stores, loads what is bundled, listens. */
export async function serve ({ config, roots: rootNames, watch, report, stop: asked, stdout, stderr }: ServeOptions): Promise<RunningServer> {
  const log = createLog(config.logLevel)
  const startedAt = new Date()
  const roots = await loadRoots(rootNames)
  const first = readRegistry(roots)
  report(first.diagnostics)
  if (first.registry === undefined) throw new ManifestError('The manifests have errors.')

  const services = await openServices(roots, first.registry, config, log)
  const stores = await unlessStopped(prepareStores(services, config, stderr, log), services, asked)
  const health = observeHealth(services)
  const probe = (): ProbeState => ({ ready: stores.ready() && !app.draining, subsystems: health.read() })

  const generationOf = (registry: Registry): Generation => compileGeneration({
    registry,
    discovery: discoveryModules,
    handlers: joinTables(roots),
    services: services.services,
    observe: (now): Observations => ({ now, startedAt, subsystems: { process: { status: 'ok', detail: 'The process answers.' }, ...health.read() } }),
    onFault: (error, requestId) => { log.error({ request_id: requestId, err: error }, 'fault') }
  })

  const metrics = config.adminPort === undefined ? undefined : createMetrics()
  const observers = [accessLog(log), metrics?.observe].filter(observer => observer !== undefined)
  const observe: Observer | undefined = observers.length === 0 ? undefined : event => { for (const observer of observers) observer(event) }

  const app = new SurfaceApp({ generation: generationOf(first.registry), ...(observe === undefined ? {} : { observe }) })
  const server = createSurfaceServer(app, (req, res) => answerProbe(req, res, probe))
  const address = await listen(server, config.port, config.host)
  const url = config.baseUrl ?? originOf(address)
  if (url !== first.registry.service.base_url) app.generation = generationOf(withBaseUrl(first.registry, url))
  const readAgain = (): ReturnType<typeof readRegistry> => readRegistry(roots, url)

  const admin = metrics === undefined ? undefined : createServer(adminListener(probe, metrics))
  if (admin !== undefined) stderr.write(`admin port on ${originOf(await listen(admin, config.adminPort ?? 0, config.host))}\n`)
  const watcher = watch ? watchRoots(roots, app, generationOf, readAgain, report, stderr) : undefined
  stdout.write(`listening on ${originOf(address)}\n`)

  const stop = async (): Promise<void> => {
    watcher?.close()
    stores.stop()
    await stopServer(server, app, graceMs)
    health.stop()
    admin?.close()
    await services.close()
  }
  return { url: originOf(address), app, stop }
}

/** Swaps in a new generation when the files are right, and keeps the last good one when they are not. */
function watchRoots (roots: readonly LoadedRoot[], app: SurfaceApp, generationOf: (registry: Registry) => Generation, readAgain: () => ReturnType<typeof readRegistry>, report: ServeOptions['report'], stderr: NodeJS.WriteStream): { close: () => void } {
  return watchFolders(roots.map(root => root.folder), () => {
    const { registry, diagnostics } = readAgain()
    report(diagnostics)
    if (registry === undefined) {
      stderr.write('reload refused: the last good manifests keep serving\n')
      return
    }
    if (registry.digest === app.generation.registry.digest) return
    app.generation = generationOf(registry)
    stderr.write(`reloaded: ${registry.surfaces.length} surfaces\n`)
  })
}

/** Loading is one transaction for each source: to close the stores in the middle of it leaves what was there before. */
async function unlessStopped<T> (work: Promise<T>, services: RootServices, asked: AbortSignal | undefined): Promise<T> {
  if (asked === undefined) return work
  const stopped = once(asked, 'abort').then(() => { throw new Error('Stopped while starting.') })
  try {
    return await Promise.race([work, ...(asked.aborted ? [Promise.reject(new Error('Stopped while starting.'))] : [stopped])])
  } catch (error) {
    work.catch(() => undefined)
    await services.close()
    throw error
  }
}

type Stores = Readonly<{ ready: () => boolean, stop: () => void }>

/**
 * Migrates and loads. Pantry's own database must come up; a named server may be away, and is tried again until it is there, while
 * everything that needs no store is served.
 */
async function prepareStores (services: RootServices, config: Config, stderr: NodeJS.WriteStream, log: ReturnType<typeof createLog>): Promise<Stores> {
  const progress = createProgress(stderr)
  let ready = false
  let timer: NodeJS.Timeout | undefined
  const attempt = async (): Promise<void> => {
    await services.prepare(progress)
    ready = true
  }
  const again = (): void => {
    timer = setTimeout(() => {
      attempt().catch((error: unknown) => {
        log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'the database cannot be prepared yet')
        again()
      })
    }, retryMs)
  }
  if (config.databaseUrl === undefined) await attempt()
  else {
    await attempt().catch((error: unknown) => {
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'the database cannot be prepared yet')
      again()
    })
  }
  return { ready: () => ready, stop: () => { clearTimeout(timer) } }
}
