import { collectDefaultMetrics, Histogram, Registry as MetricsRegistry } from 'prom-client'
import type { Observer } from './surface-router.ts'

export type Metrics = Readonly<{ observe: Observer, contentType: string, text: () => Promise<string> }>

/** Prometheus metrics by route pattern, never by path: a label cannot name a caller or what was asked for. */
export function createMetrics (): Metrics {
  const registry = new MetricsRegistry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the parsed request to the written answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry]
  })
  return {
    observe: ({ request, surface, status, startedAt }) => {
      const method = surface === undefined ? 'other' : request.method
      seconds.observe({ method, route: surface?.route.path ?? 'unclaimed', status }, (performance.now() - startedAt) / 1000)
    },
    contentType: registry.contentType,
    text: () => registry.metrics()
  }
}
