import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { accessLog } from '../core/http/log.ts'
import { createMetrics } from '../core/http/metrics.ts'
import { adminListener, answerProbe, type ProbeState } from '../core/http/probes.ts'
import { createSurfaceServer, stopServer } from '../core/http/server.ts'
import { SurfaceApp } from '../core/http/surface-app.ts'
import type { Observer } from '../core/http/surface-router.ts'
import { withBaseUrl } from '../core/registry/load.ts'
import type { Config } from './config.ts'
import { listen, tryPort, type Place } from './ports.ts'
import { prepare, type Closers } from './prepare.ts'
import { readRegistry } from './read-registry.ts'
import { createReload, messageOf } from './reload.ts'
import { watchFolders } from './watch.ts'

type ServeOptions = Readonly<{
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

/**
 * Milliseconds that requests in work have when the service stops. With what the database is given after them (`close` and the limits of the
 * embedded server) a stop takes less than nine seconds; a container is killed after ten.
 */
const graceMs = 3_000

const originOf = ({ address, port, family }: AddressInfo): string => `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** The origin of absolute links where none is configured. An address that means every address of the machine cannot be opened by a client. */
function linkedOrigin (listening: AddressInfo, stderr: NodeJS.WritableStream): string {
  if (!['0.0.0.0', '::'].includes(listening.address)) return originOf(listening)
  const origin = `http://localhost:${listening.port}`
  stderr.write(`warning: links say ${origin}, because HOST is ${listening.address}. Set PANTRY_BASE_URL to the address that others use.\n`)
  return origin
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

async function start ({ config, roots: names, watch, checkReplies = watch, onFault, report, stop, stdout, stderr }: ServeOptions, opened: Closers): Promise<Omit<RunningServer, 'stop'>> {
  const place: Place = { host: config.host, port: config.port, variable: 'PORT' }
  const adminPlace: Place | undefined = config.adminPort === undefined ? undefined : { host: config.host, port: config.adminPort, variable: 'PANTRY_ADMIN_PORT' }
  const { log, roots, registry, first, reuse, generationOf, ready, subsystems } = await prepare({ config, roots: names, checkReplies, checkRows: checkReplies, onFault, report, stop, stderr }, opened, async () => {
    for (const one of [place, adminPlace]) if (one !== undefined) await tryPort(one)
  })
  const probe = (): ProbeState => ({ ready: ready() && !app.draining, subsystems: subsystems() })

  const metrics = adminPlace === undefined ? undefined : createMetrics()
  const observers = [accessLog(log), metrics?.observe].filter(observer => observer !== undefined)
  const observe: Observer | undefined = observers.length === 0 ? undefined : event => { for (const observer of observers) observer(event) }

  const app = new SurfaceApp({ generation: generationOf(registry), ...(observe === undefined ? {} : { observe }) })
  if (adminPlace !== undefined && metrics !== undefined) {
    const admin = createServer(adminListener(probe, metrics))
    stderr.write(`admin port on ${originOf(await listen(admin, adminPlace))}\n`)
    opened.push(() => { admin.close().closeAllConnections() })
  }
  const server = createSurfaceServer(app, (req, res) => answerProbe(req, res, probe))
  const address = await listen(server, place)
  opened.push(() => stopServer(server, app, graceMs))
  const url = config.baseUrl ?? linkedOrigin(address, stderr)
  if (url !== registry.service.base_url) app.generation = generationOf(withBaseUrl(registry, url))
  const reload = createReload({
    first,
    read: () => readRegistry(roots, url, reuse),
    swap: registry => { app.generation = generationOf(registry) },
    report,
    say: line => { stderr.write(`${line}\n`) }
  })

  if (watch) {
    opened.push(watchFolders(roots.map(root => root.folder), reload, error => { stderr.write(`${messageOf(error)}\n`) }).close)
    // What was saved while the stores were opened.
    reload()
  }
  stdout.write(`listening on ${originOf(address)}\n`)
  return { url: originOf(address), app, reload: () => { reload(performance.now(), true) } }
}
