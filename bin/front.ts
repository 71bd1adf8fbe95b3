import { runSync, runInSlices } from '../core/canonical/work.ts'
import { createClientAddress, type CallerSalt } from '../core/http/client.ts'
import { joinHooks } from '../core/http/hooks.ts'
import { createMetrics, type Metrics } from '../core/http/metrics.ts'
import type { Generation } from '../core/plan/generation.ts'
import { accessLog, createSurfaceServer, stopServer, SurfaceApp, type ProbeState } from '../core/http/server.ts'
import { withBaseUrl } from '../core/registry/load.ts'
import type { Registry } from '../core/registry/registry.ts'
import type { Config } from './config.ts'
import { listen, type ListenAddress, type Listening } from './ports.ts'
import type { Prepared } from './prepare.ts'
import type { ReadRegistry } from './read-registry.ts'
import { openTracing } from './tracing.ts'

/** What answers requests: this process, or several worker processes. */
export type Front = Readonly<{
  listen: (place: ListenAddress) => Promise<Listening>
  /** Serves a registry from the next request on; resolves when all processes serve it. */
  swap: (read: ReadRegistry & Readonly<{ registry: Registry }>) => Promise<void>
  state: () => ProbeState
  /** `undefined` in a single process without an admin port. */
  metrics: Pick<Metrics, 'text'> | undefined
  stop: () => Promise<void>
}>

/**
 * Milliseconds for open requests when the service stops. With the time for closing the database (`close` and the limits
 * of the embedded server) a stop takes less than nine seconds; container runtimes kill after ten.
 */
export const graceMs = 3_000

/** Returns the origin of what listens. At a socket every host will do. */
export const originOf = (listening: Listening): string => {
  if (typeof listening === 'string') return 'http://localhost'
  const { address, port, family } = listening
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Returns what is printed of where the service listens. */
export const shownPlace = (listening: Listening): string =>
  typeof listening === 'string' ? `unix:${listening}` : originOf(listening)

/**
 * Returns the configured origin of links, else the listen address. For a wildcard (`0.0.0.0` or `::`), which clients
 * cannot open, and for a socket, it is `localhost`, with a warning.
 */
export function linkedOrigin(
  { baseUrl }: Config,
  listening: Listening,
  warn: (line: string) => void = () => undefined
): string {
  if (baseUrl !== undefined) return baseUrl
  const isSocket = typeof listening === 'string'
  if (!isSocket && !['0.0.0.0', '::'].includes(listening.address)) return originOf(listening)
  const origin = isSocket ? originOf(listening) : `http://localhost:${listening.port}`
  warn(
    `links say ${origin}, because HOST is ${isSocket ? shownPlace(listening) : listening.address}. Set PANTRY_BASE_URL to the address that others use.`
  )
  return origin
}

type OwnFront = Front & Readonly<{ metrics: Metrics | undefined; generation: () => Generation }>

/** Answers requests in this process. */
export function openFront(
  { log, roots, registry, generationOf, onFault, readiness, subsystems }: Prepared,
  config: Config,
  callerSalt?: CallerSalt
): OwnFront {
  const metrics = config.adminPort === undefined ? undefined : createMetrics()
  const tracing = openTracing(process.env, registry.service.id)
  const { before, observers } = joinHooks(
    roots.map(({ hooks }) => hooks),
    onFault
  )
  const own = [accessLog(log), metrics?.observe, tracing?.observe].filter(observer => observer !== undefined)
  const app = new SurfaceApp({
    generation: runSync(generationOf(registry)),
    observers: [...own, ...observers],
    before,
    ...(callerSalt === undefined ? {} : { callerSalt }),
    clientAddress: config.trustedProxies === undefined ? undefined : createClientAddress(config.trustedProxies)
  })
  const state = (): ProbeState => ({ ready: readiness.isReached && !app.draining, subsystems: subsystems() })
  const server = createSurfaceServer(app, { probes: state, around: tracing?.around })
  return {
    metrics,
    state,
    generation: () => app.generation,
    listen: async place => {
      const address = await listen(server, place)
      const linked = withBaseUrl(registry, linkedOrigin(config, address))
      if (linked !== registry) app.generation = runSync(generationOf(linked))
      return address
    },
    swap: async ({ registry }) => {
      app.generation = await runInSlices(generationOf(registry))
    },
    stop: async () => {
      if (server.listening) await stopServer(server, app, graceMs)
      await tracing?.close()
    }
  }
}
