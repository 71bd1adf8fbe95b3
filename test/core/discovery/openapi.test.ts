import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { operationsOf } from '../../../core/registry/operations.ts'
import { isForPrograms } from '../../../core/manifest/surface.ts'
import { metaSchema, sampleMeta } from '../../../core/discovery/meta-schema.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { build, registry, registryOf, surface } from './fixture.ts'

type Operation = {
  operationId: string
  security: object[]
  parameters?: { name: string; in: string; example?: JsonValue }[]
  requestBody?: object
  responses: Record<string, Record<string, unknown>>
  externalDocs?: { url: string }
  description: string
  summary: string
  'x-surface': { id: string }
}
type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
  tags: { name: string; description: string }[]
}
const openapi = build('openapi') as OpenApi
const operations = Object.values(openapi.paths).flatMap(path => Object.values(path))
const operation = (id: string): Operation => operations.find(one => one.operationId === id)!

t.test('every surface with every method is one operation', t => {
  t.same(
    operations.map(one => one.operationId).sort(),
    operationsOf(registry)
      .map(one => one.name)
      .sort()
  )
  t.same(
    new Set(operations.map(one => one['x-surface'].id)),
    new Set(registry.surfaces.filter(isForPrograms).map(one => one.id))
  )
  t.end()
})

t.test('every reference resolves and no component is unused', t => {
  const references = new Set(
    [...JSON.stringify(openapi).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(match => match[1])
  )
  const present = Object.entries(openapi.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map(name => `${kind}/${name}`))
  t.same(present.sort(), [...references].sort())
  t.end()
})

t.test('an answer has the schema of its contract', t => {
  t.match(operation('get_harbours').responses[200], {
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Envelope' },
            { required: ['data'], properties: { data: { properties: { text: {} } } } }
          ]
        }
      }
    }
  })
  t.match(operation('get_mirror').responses[200], {
    content: { 'application/json': { schema: { properties: { text: {} } } } }
  })
  t.match(operation('get_llms').responses[200], { content: { 'text/plain': { schema: { type: 'string' } } } })
  t.match(operation('get_tools').responses[200], {
    content: {
      'application/json': {
        schema: {
          anyOf: [{ allOf: [{}, { properties: { data: { $ref: /ToolCatalog$/ } } }] }, { type: 'object' }, {}, {}, {}]
        }
      }
    }
  })
  t.end()
})

t.test('the failures that can occur are listed', t => {
  t.same(Object.keys(operation('get_harbour').responses).sort(), ['200', '304', '400', '404'])
  t.same(Object.keys(operation('post_seen').responses).sort(), ['200', '400', '413', '415'])
  t.same(Object.keys(operation('get_keys').responses).sort(), ['200', '400', '401', '403', '429', '503'])
  t.match(operation('get_keys').responses[401], { $ref: /UnauthorizedPage$/ })
  t.end()
})

t.test('a surface that only says its status shows it, with an example of the whole body', t => {
  const { responses } = operation('get_history')
  t.same(Object.keys(responses).sort(), ['400', '503'], 'and no answer that no request gets')
  t.match(responses[503], {
    content: {
      'application/json': {
        example: {
          data: { text: 'paused' },
          error: { code: 'SOURCE_UNAVAILABLE', status: 503 },
          _meta: { endpoint: '/api/v1/harbours/{slug}/history' }
        }
      }
    }
  })
  t.end()
})

t.test('public surfaces ask for nothing, the others for what lets them in', t => {
  t.same(operation('get_harbours').security, [])
  t.same(operation('get_keys').security, [{ session: [] }])
  t.same(Object.keys(openapi.components.securitySchemes!), ['session'])
  const mixed = build('openapi', {
    registry: registryOf([surface('a', '/a', { access: ['public', 'user', 'agent'] })])
  }) as OpenApi
  t.same(
    Object.keys(mixed.components.securitySchemes ?? {}).sort(),
    ['bearer', 'session'],
    'also where nobody has to, or one of several'
  )
  t.notOk('securitySchemes' in (build('openapi', { registry: registryOf([surface('a', '/a')]) }) as OpenApi).components)
  t.end()
})

t.test('parameters carry the values of an example that works', t => {
  t.match(operation('get_harbour').parameters, [{ name: 'slug', in: 'path', required: true, example: 'x' }])
  t.match(operation('post_seen').requestBody, {
    content: { 'application/json': { examples: { 'example-1': { value: { seen: "the harbour's light" } } } } }
  })
  t.equal(operation('get_harbour').externalDocs?.url, 'https://tides.example.org/api/v1/example/get_harbour')
  t.notOk('requestBody' in operation('get_mirror'))
  t.end()
})

t.test('an answer shows what was recorded of its example', t => {
  const shown = (answers: Record<string, JsonValue>): unknown =>
    (build('openapi', { registry: { ...registry, answers } }) as OpenApi).paths['/api/v1/harbours']?.get?.responses[200]
  const example = (value: object): object => ({ content: { 'application/json': { examples: { recorded: value } } } })
  t.notMatch(shown({}), example({}))
  t.match(
    shown({ 'GET /api/v1/harbours': { text: 'See $origin/x' } }),
    example({
      summary: 'Ask for harbours',
      value: { data: { text: 'See https://tides.example.org/x' }, _meta: { endpoint: '/api/v1/harbours' } }
    })
  )
  t.end()
})

t.test('a surface that asks for a credential shows what else to give', t => {
  const [example] = registry.byId.get('harbour')!.examples
  const refused = { ...example!, expect: { status: 401, shows: {} } }
  const { paths } = build('openapi', {
    registry: registryOf([
      surface('harbour', '/api/v1/harbours/{slug}', { status: 503, access: ['user'], examples: [refused] })
    ])
  }) as OpenApi
  t.match(paths['/api/v1/harbours/{slug}']?.get?.parameters, [{ name: 'slug', example: 'x' }])
  t.end()
})

t.test('what the envelope writer writes matches the published schema', t => {
  t.same(compileSchema(metaSchema(registry))(sampleMeta(registry, registry.surfaces[0]!)), [])
  t.end()
})

t.test('headers are described where they are sent', t => {
  const headers = (id: string, status: number): string[] =>
    Object.keys(operation(id).responses[status]?.headers as object)
  t.ok(
    ['ETag', 'Link', 'RateLimit-Remaining', 'X-Request-Id'].every(name => headers('get_harbours', 200).includes(name))
  )
  t.ok(headers('get_harbours', 200).includes('X-Ignored-Parameters'))
  t.notOk(headers('post_seen', 200).includes('ETag'), 'what is not stored has no tag')
  t.ok(headers('get_history', 503).includes('Retry-After'))
  t.match((openapi.components.headers as Record<string, unknown>).ETag, {
    description: /entity tag/i,
    schema: { type: 'string' }
  })
  t.end()
})

t.test('a description adds to the summary', t => {
  for (const { operationId, description, summary } of operations)
    t.ok(description !== '' && !description.includes(summary), operationId)
  t.end()
})

t.test('an example with another status is the declared answer in another form', t => {
  const [example] = registry.byId.get('harbour')!.examples
  const several = { ...example!, title: 'Two harbours', expect: { status: 300, shows: {} } }
  const { paths } = build('openapi', {
    registry: registryOf([surface('harbour', '/api/v1/harbours/{slug}', { examples: [example!, several] })])
  }) as OpenApi
  t.match(paths['/api/v1/harbours/{slug}']?.get?.responses[300], {
    description: /several/i,
    content: { 'application/json': { schema: {} } }
  })
  t.end()
})

t.test('a form in a kind of JSON is an object', t => {
  const { paths } = build('openapi', {
    registry: registryOf([surface('harbours', '/api/v1/harbours', { formats: ['json', 'jsonld'] })])
  }) as OpenApi
  t.match(paths['/api/v1/harbours']?.get?.responses[200], {
    content: { 'application/ld+json': { schema: { type: 'object' } } }
  })
  t.end()
})

t.test('tags of operations say what their surfaces are', t => {
  t.same(
    openapi.tags.map(tag => tag.name),
    ['discovery', 'play', 'water']
  )
  t.equal(openapi.tags[1]?.description, 'mirror.')
  t.match(openapi.tags[0]?.description, /; and \d+ more\.$/)
  const service = { ...registry.service, tags: { play: { meaning: 'What is for play.' } } }
  const { tags } = build('openapi', { registry: { ...registry, service } }) as OpenApi
  t.same(
    tags.map(({ description }) => description),
    [openapi.tags[0]?.description, 'What is for play.', openapi.tags[2]?.description]
  )
  t.end()
})
