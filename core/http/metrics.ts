import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Histogram,
  Registry as MetricsRegistry,
  type MetricObjectWithValues,
  type MetricValue
} from 'prom-client'
import type { Observer } from './hooks.ts'

/** The metrics of one process, as values that can be sent to another process. */
export type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[]

export type Metrics = Readonly<{ observe: Observer; read: () => Promise<MetricValues>; text: () => Promise<string> }>

export const metricsType = MetricsRegistry.PROMETHEUS_CONTENT_TYPE

const growing = new Set(['counter', 'histogram'])

/**
 * Creates the metrics of a process. Labels are route patterns and never paths, so that they cannot reveal a caller or
 * what was requested.
 */
export function createMetrics(): Metrics {
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
      const route = surface?.route.path ?? 'unclaimed'
      seconds.observe({ method, route, status }, (performance.now() - startedAt) / 1000)
    },
    read: () => registry.getMetricsAsJSON(),
    text: () => registry.metrics()
  }
}

/** Sums the metrics of several processes, with the counters and histograms of processes that have ended (`before`). */
export function aggregateMetrics(
  counted: readonly MetricValues[],
  before: MetricValues = []
): Readonly<{ growing: () => Promise<MetricValues>; text: () => Promise<string> }> {
  const sum = AggregatorRegistry.aggregate([...counted, before].map(one => [...one]))
  return {
    growing: async () => (await sum.getMetricsAsJSON()).filter(({ type }) => growing.has(String(type))),
    text: () => sum.metrics()
  }
}
