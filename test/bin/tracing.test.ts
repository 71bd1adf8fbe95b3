// test: long. The card service with its database, and OpenTelemetry's own exporter (`npm ci --prefix test/tools`).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { project } from '../run/files.ts'
import { program } from '../support/program.ts'
import { scratchFolder } from '../support/scratch.ts'

type Attribute = Readonly<{ key: string; value: Readonly<Record<string, string>> }>
type Span = Readonly<{
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: readonly Attribute[]
  status: Readonly<{ code?: number }>
}>
type Traces = Readonly<{
  resourceSpans: readonly Readonly<{
    resource: Readonly<{ attributes: readonly Attribute[] }>
    scopeSpans: readonly Readonly<{ spans: readonly Span[] }>[]
  }>[]
}>

const tools = resolve(project, 'test/tools/node_modules')
const skip = existsSync(join(tools, '@opentelemetry/sdk-node'))
  ? false
  : 'OpenTelemetry is not installed: npm ci --prefix test/tools'

const valueOf = ({ attributes }: Pick<Span, 'attributes'>, key: string): unknown =>
  Object.values(attributes.find(one => one.key === key)?.value ?? {})[0]

t.test('requests and statements are spans, sent as the standard variables say', { skip }, async t => {
  const received: Readonly<{ path: string; body: Traces }>[] = []
  const collector = createServer((req, res) => {
    void json(req).then(body => {
      received.push({ path: req.url ?? '', body: body as Traces })
      res.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  t.teardown(() => {
    collector.close()
  })

  const env = {
    ...process.env,
    LOG_LEVEL: 'silent',
    PANTRY_DATA_DIR: scratchFolder(t),
    NODE_PATH: tools,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json'
  }
  const service = spawn(process.execPath, [...program('bin/commands/pantry'), 'serve', '--port', '0'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => {
    service.kill('SIGKILL')
  })
  let url = ''
  for await (const line of createInterface({ input: service.stdout })) {
    url = /^listening on (\S+)$/.exec(line)?.[1] ?? ''
    if (url !== '') break
  }
  const ask = async (path: string): Promise<void> => {
    await (
      await fetch(url + path, { headers: { traceparent: `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01` } })
    ).arrayBuffer()
  }
  await ask('/api/v1/games?secret=query')
  await ask('/api/v1/universal/card/op-op01-001-en')
  await ask('/api/v1/search/cards?game=op&q=luffy')
  await ask('/api/v1/nowhere/to-be-found')
  service.kill('SIGTERM')
  await once(service, 'exit')

  t.strictSame([...new Set(received.map(({ path }) => path))], ['/v1/traces'])
  const resources = received.flatMap(({ body }) => body.resourceSpans)
  t.equal(valueOf(resources[0]?.resource ?? { attributes: [] }, 'service.name'), 'pantry-cards')
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  const asked = spans.filter(({ parentSpanId }) => parentSpanId === 'b2'.repeat(8))
  t.strictSame(
    asked.map(span => [span.name, valueOf(span, 'http.response.status_code'), span.traceId === 'a1'.repeat(16)]),
    [
      ['GET /api/v1/games', 200, true],
      ['GET /api/v1/universal/card/{sku}', 200, true],
      ['GET /api/v1/search/cards', 200, true],
      ['GET', 404, true]
    ]
  )
  for (const span of asked.slice(1, 3))
    t.ok(
      spans.some(
        ({ parentSpanId, attributes }) =>
          parentSpanId === span.spanId && valueOf({ attributes }, 'db.system.name') === 'postgresql'
      ),
      `${span.name} names its statements`
    )
  t.notMatch(
    JSON.stringify(received),
    /secret=query|luffy|to-be-found|127\.0\.0\.1/,
    'no query, no value of a statement, no unknown path, no address'
  )
})
