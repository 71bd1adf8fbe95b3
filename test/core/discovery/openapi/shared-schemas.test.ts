import t from 'tap'
import type { JsonObject } from '../../../../core/canonical/json.ts'
import { runSync } from '../../../../core/canonical/work.ts'
import { shareSchemas, singular } from '../../../../core/discovery/openapi/shared-schemas.ts'

const object = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, { type: 'string' }]))
})
const holding = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { ...properties, other: { type: 'null' } }
})
const shared = (...schemas: JsonObject[]) => {
  const { components, write } = runSync(
    shareSchemas(
      schemas.map((schema, at) => ({ schema, word: `answer-${at}` })),
      ['Error']
    )
  )
  return { names: Object.keys(components), components, written: schemas.map(write) }
}

t.test('equal objects have the name of the member that holds them, lists that of one of them', t => {
  const { names, written } = shared(
    holding({ ships: { type: 'array', items: object('a', 'b') } }),
    holding({ ship: object('a', 'b') })
  )
  t.same(names, ['Ship'])
  t.match(written, [
    { properties: { ships: { items: { $ref: '#/components/schemas/Ship' } } } },
    { properties: { ship: { $ref: '#/components/schemas/Ship' } } }
  ])
  t.end()
})

t.test('what a schema calls itself goes first, also where it is used once', t => {
  t.same(shared({ ...object('a', 'b'), title: 'fine thing' }).names, ['FineThing'])
  t.same(shared({ type: 'object', properties: { '@kind': { const: 'sets_collection' }, a: {} } }).names, [
    'SetsCollection'
  ])
  t.end()
})

t.test('two schemas of one name: the smaller one has its owner in front, and no name of the document is taken', t => {
  const large = (other: string): JsonObject => ({
    type: 'object',
    properties: { links: object('a', 'b', 'c', 'd'), [other]: {} }
  })
  const small = (other: string): JsonObject => ({
    type: 'object',
    properties: { edge: { type: 'object', properties: { links: object('a', 'b'), [other]: {} } } }
  })
  t.same(shared(large('x'), large('y'), small('x'), small('y')).names, ['EdgeLinks', 'Links'])
  t.same(shared(holding({ error: object('a', 'b') }), holding({ error: object('a', 'b'), more: {} })).names, [
    'Answer0Error'
  ])
  t.end()
})

t.test('what is only part of a shared schema is not named', t => {
  const whole = (): JsonObject => holding({ part: object('a', 'b') })
  t.same(
    shared({ type: 'object', properties: { whole: whole() } }, { type: 'object', properties: { whole: whole() } })
      .names,
    ['Whole']
  )
  t.end()
})

t.test('objects of one member and single uses stay where they are', t => {
  const schemas = [holding({ ship: object('a') }), { type: 'object', properties: { ship: object('a') } }]
  t.same(shared(...schemas), { names: [], components: {}, written: schemas })
  t.end()
})

t.test('equal but for what is said of them: the reference says it', t => {
  const { components, written } = shared(holding({ ship: { ...object('a', 'b'), description: 'Ours.' } }), {
    type: 'object',
    properties: { ship: { ...object('a', 'b'), description: 'Theirs.' } }
  })
  t.notOk('description' in (components.Ship as JsonObject))
  t.match(written[1], { properties: { ship: { $ref: '#/components/schemas/Ship', description: 'Theirs.' } } })
  const alike = shared(holding({ ship: { ...object('a', 'b'), description: 'Ours.' } }), {
    type: 'object',
    properties: { ship: { ...object('a', 'b'), description: 'Ours.' } }
  })
  t.match(alike.components.Ship, { description: 'Ours.' })
  t.end()
})

t.test('a member called $ref is not named, because parsers would follow it', t => {
  const { written } = shared({
    type: 'object',
    properties: { $ref: { type: 'string' }, type: { type: 'string' } },
    required: ['$ref', 'type'],
    additionalProperties: false
  })
  t.same(
    written,
    [{ type: 'object', properties: { type: { type: 'string' } }, required: ['type'], additionalProperties: true }],
    'and may be there'
  )
  t.end()
})

t.test('members of one type beside named ones are any, as no language types them', t => {
  const { written } = shared({
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: { type: 'integer' }
  })
  t.same(written, [{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }])
  t.same(
    shared({ type: 'object', additionalProperties: { type: 'integer' } }).written,
    [{ type: 'object', additionalProperties: { type: 'integer' } }],
    'a record stays'
  )
  t.end()
})

t.test('one of a list', t => {
  for (const [many, one] of [
    ['entries', 'entry'],
    ['matches', 'match'],
    ['sets', 'set'],
    ['status', 'status'],
    ['boxes', 'box'],
    ['process', 'process'],
    ['cards', 'card']
  ])
    t.equal(singular(many ?? ''), one)
  t.end()
})
