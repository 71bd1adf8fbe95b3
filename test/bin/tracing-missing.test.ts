import t from 'tap'
import { UsageError } from '../../bin/config.ts'
import { openTracing } from '../../bin/tracing.ts'

t.test('traces are asked for by the standard variables alone', t => {
  for (const env of [
    {},
    { OTEL_SERVICE_NAME: 'cards' },
    { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' },
    { OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }
  ])
    t.equal(openTracing(env, 'cards'), undefined, JSON.stringify(env))
  t.end()
})

t.test('who asks for traces is told what to install', t => {
  for (const name of ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    try {
      openTracing({ [name]: 'otlp' }, 'cards')
      t.fail(name)
    } catch (error) {
      t.ok(error instanceof UsageError && error.message.includes('npm install @opentelemetry/sdk-node'), name)
    }
  }
  t.end()
})
