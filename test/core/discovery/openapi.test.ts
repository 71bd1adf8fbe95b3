import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { operationsOf } from '../../../core/discovery/operations.ts'
import { sampleMeta } from '../../../core/discovery/sample-meta.ts'
import { metaSchema } from '../../../core/discovery/meta-schema.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { build, registry, registryOf, surface } from './fixture.ts'

type Operation = { operationId: string, security: object[], parameters?: { name: string, in: string, example?: JsonValue }[], requestBody?: object, responses: Record<string, Record<string, unknown>>, 'x-surface': { id: string } }
type OpenApi = { paths: Record<string, Record<string, Operation>>, components: Record<string, Record<string, unknown>>, tags: { name: string }[] }
const openapi = build('openapi') as OpenApi
const operations = Object.values(openapi.paths).flatMap(path => Object.values(path))
const operation = (id: string): Operation => operations.find(one => one.operationId === id)!

t.test('every surface with every method is one operation', t => {
  t.same(operations.map(one => one.operationId).sort(), operationsOf(registry).map(one => one.name).sort())
  t.same(new Set(operations.map(one => one['x-surface'].id)), new Set(registry.surfaces.map(one => one.id)))
  t.end()
})

t.test('every reference resolves and no component is unused', t => {
  const references = new Set([...JSON.stringify(openapi).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(match => match[1]))
  const present = Object.entries(openapi.components).filter(([kind]) => kind !== 'securitySchemes').flatMap(([kind, members]) => Object.keys(members).map(name => `${kind}/${name}`))
  t.same(present.sort(), [...references].sort())
  t.end()
})

t.test('an answer has the schema of its contract', t => {
  t.match(operation('get_harbours').responses[200], { content: { 'application/json': { schema: { required: ['data', '_meta'], properties: { data: { properties: { text: {} } } } } } } })
  t.match(operation('get_mirror').responses[200], { content: { 'application/json': { schema: { properties: { text: {} } } } } })
  t.match(operation('get_llms').responses[200], { content: { 'text/plain': { schema: { type: 'string' } } } })
  t.match(operation('get_tools').responses[200], { content: { 'application/json': { schema: { anyOf: [{ required: ['data', '_meta'] }, { type: 'object' }, {}, {}, {}] } } } })
  t.end()
})

t.test('the failures that can occur are listed', t => {
  t.same(Object.keys(operation('get_harbour').responses).sort(), ['200', '304', '400', '404'])
  t.same(Object.keys(operation('post_seen').responses).sort(), ['200', '400', '413', '415'])
  t.same(Object.keys(operation('get_keys').responses).sort(), ['200', '400', '401', '403', '503'])
  t.match(operation('get_keys').responses[401], { $ref: /UnauthorizedPage$/ })
  t.end()
})

t.test('a surface that only says its status shows it, with an example of the whole body', t => {
  const { responses } = operation('get_history')
  t.same(Object.keys(responses).sort(), ['2XX', '400', '503'])
  t.match(responses[503], { content: { 'application/json': { example: { data: { text: 'paused' }, error: { code: 'SOURCE_UNAVAILABLE', status: 503 }, _meta: { endpoint: '/api/v1/harbours/{slug}/history' } } } } })
  t.end()
})

t.test('public surfaces ask for nothing, the others for what lets them in', t => {
  t.same(operation('get_harbours').security, [])
  t.same(operation('get_keys').security, [{ session: [] }])
  t.same(Object.keys(openapi.components.securitySchemes!), ['session'])
  t.notOk('securitySchemes' in (build('openapi', { registry: registryOf([surface('a', '/a')]) }) as OpenApi).components)
  t.end()
})

t.test('parameters carry the values of an example that works', t => {
  t.match(operation('get_harbour').parameters, [{ name: 'slug', in: 'path', required: true, example: 'x' }])
  t.match(operation('post_seen').requestBody, { content: { 'application/json': { examples: { 'example-1': { value: { seen: "the harbour's light" } } } } } })
  t.match(operation('get_harbour'), { 'x-examples': [{ title: 'Ask for harbour', url: '/api/v1/harbours/x', status: 200 }] })
  t.notOk('requestBody' in operation('get_mirror'))
  t.end()
})

t.test('what the envelope writer writes matches the published schema', t => {
  t.same(compileSchema(metaSchema(registry))(sampleMeta(registry, registry.surfaces[0]!)), [])
  t.end()
})

t.test('tags of operations are described', t => {
  t.same(openapi.tags.map(tag => tag.name), ['discovery', 'play', 'water'])
  t.end()
})
