import { createRequire } from 'node:module'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import { statements, type Statement } from '../core/database/pool.ts'
import type { Observer } from '../core/http/hooks.ts'
import { UsageError, type Environment } from './config.ts'

/** The SDK reads all `OTEL_*` variables itself. */
type SdkModule = Readonly<{
  NodeSDK: new (
    options: Readonly<{ serviceName?: string; instrumentations: readonly [] }>
  ) => Readonly<{ start: () => void; shutdown: () => Promise<void> }>
}>

type Tracing = Readonly<{
  /** Answers within a span that continues the trace in the header `traceparent` (W3C Trace Context). */
  around: (req: IncomingMessage, res: ServerResponse, answer: () => void) => void
  /** Records the outcome on the span. */
  observe: Observer
  /** Sends the remaining spans. */
  close: () => Promise<void>
}>

/** Whether the variables of the OpenTelemetry specification ask for traces. */
const isAskedFor = (env: Environment): boolean =>
  env['OTEL_SDK_DISABLED'] !== 'true' &&
  env['OTEL_TRACES_EXPORTER'] !== 'none' &&
  ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    name => (env[name] ?? '') !== ''
  )

const require = createRequire(import.meta.url)

function load(name: string): unknown {
  try {
    return require(name)
  } catch (error) {
    throw new UsageError(
      `OTEL_* variables ask for traces, which ${name} sends, and it cannot be loaded (${(error as NodeJS.ErrnoException).code ?? String(error)}). Run: npm install @opentelemetry/sdk-node @opentelemetry/api`
    )
  }
}

/**
 * Creates a span for each request and each database statement, named by the semantic conventions of OpenTelemetry, if
 * the environment asks for traces. A span has the route pattern, but never the path, a query, a body, an address or the
 * parameters of a statement. Throws `UsageError` if the OpenTelemetry packages are not installed.
 */
export function openTracing(env: Environment, service: string): Tracing | undefined {
  if (!isAskedFor(env)) return undefined
  const { NodeSDK } = load('@opentelemetry/sdk-node') as SdkModule
  const { context, propagation, trace, SpanKind, SpanStatusCode } = load('@opentelemetry/api') as typeof OpenTelemetry
  const sdk = new NodeSDK({
    instrumentations: [],
    ...((env['OTEL_SERVICE_NAME'] ?? '') === '' ? { serviceName: service } : {})
  })
  sdk.start()
  const tracer = trace.getTracer('pantry')

  const open = new WeakMap<Statement, Span>()
  const listeners = {
    start: (statement: Statement) => {
      const attributes = {
        'db.system.name': 'postgresql',
        'db.query.summary': statement.name,
        ...(statement.sql === undefined ? {} : { 'db.query.text': statement.sql })
      }
      open.set(statement, tracer.startSpan(statement.name, { kind: SpanKind.CLIENT, attributes }))
    },
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd: (statement: Statement) => {
      open.get(statement)?.end()
    },
    error: (statement: Statement & { error: unknown }) => {
      const type = statement.error instanceof Error ? statement.error.name : 'unknown'
      open.get(statement)?.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
    }
  }
  statements.subscribe(listeners)

  return {
    around: (req, res, answer) => {
      const caller = propagation.extract(context.active(), req.headers)
      const span = tracer.startSpan(
        req.method ?? '',
        {
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': req.method ?? '',
            'url.scheme': 'http',
            'network.protocol.version': req.httpVersion
          }
        },
        caller
      )
      // The client may disconnect before it gets a response.
      res.once('close', () => {
        if (span.isRecording()) span.end()
      })
      context.with(trace.setSpan(caller, span), answer)
    },
    observe: ({ request, surface, status }) => {
      const span = trace.getActiveSpan()
      if (span === undefined) return
      span.setAttributes({ 'http.response.status_code': status, 'pantry.request_id': request.requestId })
      if (surface !== undefined)
        span
          .updateName(`${request.method} ${surface.route.path}`)
          .setAttributes({ 'http.route': surface.route.path, 'pantry.surface': surface.id })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(status))
      span.end()
    },
    close: async () => {
      statements.unsubscribe(listeners)
      await sdk.shutdown()
    }
  }
}
