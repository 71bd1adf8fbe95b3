import t from 'tap'
import type { JsonSchema } from '../../../core/canonical/json.ts'
import { discoveryModules } from '../../../core/discovery/index.ts'
import { isForPrograms } from '../../../core/manifest/surface.ts'
import { geminiSchema } from '../../../core/discovery/vendors/gemini.ts'
import { strictSchema } from '../../../core/discovery/vendors/openai.ts'
import { checkSchema, compileSchema } from '../../../core/schema/compile.ts'
import type { Format } from '../../../core/format/index.ts'
import { registry, request } from './fixture.ts'

type Function = {
  name: string
  description: string
  parameters?: JsonSchema
  parametersJsonSchema?: JsonSchema
  input_schema?: JsonSchema
  strict?: boolean
}

const rendering = (format: Format) =>
  discoveryModules.get('tools')!.renderings![format]!(registry, request) as unknown as {
    tools: unknown[]
    count: number
  }
const functions: Record<string, Function[]> = {
  anthropic: rendering('anthropic').tools as Function[],
  openai: (rendering('openai').tools as { function: Function }[]).map(tool => tool.function),
  'openai-responses': rendering('openai-responses').tools as Function[],
  gemini: (rendering('gemini').tools as { functionDeclarations: Function[] }[])[0]!.functionDeclarations,
  cohere: (rendering('cohere').tools as { function: Function }[]).map(tool => tool.function)
}

/** Every schema inside a schema, itself included. */
function within(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(within)
  if (typeof value !== 'object' || value === null) return []
  return [
    value as Record<string, unknown>,
    ...Object.entries(value).flatMap(([key, member]) => (key === 'enum' || key === 'required' ? [] : within(member)))
  ]
}

for (const [vendor, list] of Object.entries(functions)) {
  t.test(`${vendor}: every surface, a good name, a short description`, t => {
    t.equal(list.length, registry.surfaces.filter(isForPrograms).length)
    t.equal(new Set(list.map(one => one.name)).size, list.length)
    for (const { name, description } of list) {
      t.match(name, /^[a-zA-Z_][a-zA-Z0-9_]{0,62}$/)
      t.ok(description.length > 0 && description.length <= 1024, name)
    }
    t.end()
  })
}

t.test('anthropic and cohere: a valid closed object schema without references', t => {
  for (const { name, input_schema: given, parameters } of [...functions.anthropic!, ...functions.cohere!]) {
    const schema = given ?? parameters!
    t.same(checkSchema(schema), [], name)
    t.match(schema, { type: 'object', additionalProperties: false })
    t.notOk(
      within(schema).some(one => '$ref' in one || '$defs' in one),
      name
    )
  }
  t.end()
})

t.test('openai: strict tools keep to the strict subset, and most are strict', t => {
  for (const { name, parameters, strict } of functions.openai!.filter(one => one.strict)) {
    t.equal(strict, true)
    for (const schema of within(parameters)) {
      for (const keyword of [
        'allOf',
        'oneOf',
        'not',
        'if',
        'patternProperties',
        'minLength',
        'maxLength',
        'uniqueItems',
        '$ref',
        'default'
      ])
        t.notOk(keyword in schema, `${name} ${keyword}`)
      if (schema.type === 'object') {
        t.equal(schema.additionalProperties, false)
        t.same(schema.required, Object.keys(schema.properties as object))
      }
    }
  }
  t.ok(functions.openai!.every(one => one.strict))
  t.end()
})

t.test('openai: an optional argument may be null', t => {
  const check = compileSchema(functions.openai!.find(one => one.name === 'get_harbours')!.parameters!)
  t.same(check({ kind: null, limit: null }), [])
  t.same(check({ kind: 'port', limit: 3 }), [])
  t.not(check({ kind: 'fish', limit: null }).length, 0)
  t.end()
})

t.test('openai: what the subset cannot say is not strict', t => {
  const closed = (properties: object): JsonSchema => ({
    type: 'object',
    properties,
    required: [],
    additionalProperties: false
  })
  t.equal(strictSchema({ type: 'object', properties: {} }), undefined, 'an open object')
  t.equal(strictSchema(closed({ a: {} })), undefined, 'any value')
  t.equal(strictSchema(closed({ a: { oneOf: [{ type: 'string' }] } })), undefined)
  t.equal(
    strictSchema(closed({ a: { type: 'object', additionalProperties: { type: 'string' } } })),
    undefined,
    'a record'
  )
  t.same(strictSchema(closed({ a: { type: 'string', maxLength: 3 } }))?.properties, { a: { type: ['string', 'null'] } })
  t.end()
})

t.test('gemini: the OpenAPI 3.0 subset, or a JSON Schema in its own member', t => {
  for (const declaration of functions.gemini!) {
    t.notOk('parameters' in declaration && 'parametersJsonSchema' in declaration)
    for (const schema of within(declaration.parameters)) {
      for (const keyword of ['$ref', 'const', 'additionalProperties', 'oneOf', 'allOf', '$defs'])
        t.notOk(keyword in schema, `${declaration.name} ${keyword}`)
      t.notOk(Array.isArray(schema.type), declaration.name)
      if (schema.type === 'object') t.not(Object.keys(schema.properties as object).length, 0)
    }
  }
  t.same(
    Object.keys(functions.gemini!.find(one => one.name === 'get_manifest')!).sort(),
    ['description', 'name'],
    'no parameters, no member'
  )
  t.end()
})

t.test('gemini: null is said with nullable', t => {
  t.same(geminiSchema({ type: ['integer', 'null'], minimum: 1 }), { type: 'integer', minimum: 1, nullable: true })
  t.same(geminiSchema({ anyOf: [{ type: 'string' }, { type: 'null' }], description: 'x' }), {
    type: 'string',
    description: 'x',
    nullable: true
  })
  t.same(geminiSchema({ type: 'string', const: 'a' }), { type: 'string', enum: ['a'] })
  t.equal(geminiSchema({ type: 'object' }), undefined)
  t.end()
})

t.test('gemini: a member that may be left out is, where the subset cannot say it; a body is kept', t => {
  const declaration = functions.gemini!.find(one => one.name === 'post_seen')!
  t.match(declaration, {
    parameters: { properties: { body: { type: 'object', properties: { level: { nullable: true } } } } }
  })
  const loose = {
    type: 'object',
    properties: { usual: { anyOf: [{ type: 'string' }, { description: 'any' }], description: 'x' }, any: {} },
    required: []
  }
  t.same(
    geminiSchema(loose),
    { type: 'object', properties: { usual: { type: 'string', description: 'x' } } },
    'of any value, the usual one'
  )
  t.equal(geminiSchema({ ...loose, required: ['any'] }), undefined)
  t.same(
    geminiSchema({ type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }),
    { type: 'string' },
    'what only narrows is left out'
  )
  t.end()
})

t.test('every form says how each function is carried out', t => {
  for (const format of Object.keys(discoveryModules.get('tools')!.renderings!)) {
    const { calls } = rendering(format) as unknown as { calls: Record<string, object> }
    t.equal(Object.keys(calls).length, registry.surfaces.filter(isForPrograms).length, format)
    t.same(calls.get_harbour, {
      method: 'GET',
      path: '/api/v1/harbours/{slug}',
      arguments: { slug: { in: 'path', name: 'slug' } }
    })
    t.match(calls.post_seen, { method: 'POST', arguments: { body: { in: 'body' } } })
  }
  t.end()
})

t.test('openai-responses: the same function, without a wrapper', t => {
  const [wrapped, flat] = [functions.openai!, functions['openai-responses']!]
  t.same(
    flat.map(({ type, ...rest }: Function & { type?: string }) => {
      t.equal(type, 'function')
      return rest
    }),
    wrapped
  )
  t.end()
})
