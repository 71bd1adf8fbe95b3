import t from 'tap'
import { membersOf, plainSchema } from '../../../core/discovery/plain-schema.ts'

t.test('references are replaced by what they point to', t => {
  const schema = {
    $schema: 'x',
    type: 'object',
    properties: { a: { $ref: '#/$defs/word', description: 'A word.' } },
    $defs: { word: { type: 'string', minLength: 1 } }
  }
  t.same(plainSchema(schema), {
    type: 'object',
    properties: { a: { type: 'string', minLength: 1, description: 'A word.' } }
  })
  t.end()
})

t.test('references are read against the nearest schema with definitions', t => {
  const inner = { type: 'object', properties: { a: { $ref: '#/$defs/a~1b' } }, $defs: { 'a/b': { type: 'integer' } } }
  t.same(plainSchema({ type: 'array', items: inner }), {
    type: 'array',
    items: { type: 'object', properties: { a: { type: 'integer' } } }
  })
  t.end()
})

t.test('a schema that contains itself ends', t => {
  t.same(
    plainSchema({
      $ref: '#/$defs/tree',
      $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } } }
    }),
    { type: 'object', properties: { child: {} } }
  )
  t.end()
})

t.test('names and values that look like keywords stay', t => {
  const schema = {
    type: 'object',
    properties: { $id: { type: 'string' }, 'x-note': { const: { $ref: '#' } } },
    'x-corpus': 'a'
  }
  t.same(plainSchema(schema), {
    type: 'object',
    properties: { $id: { type: 'string' }, 'x-note': { const: { $ref: '#' } } },
    description: 'Key of an entry of `a`.'
  })
  t.end()
})

t.test('the description of a key says of which corpus it is', t => {
  const described = (description: object): unknown =>
    plainSchema({ type: 'array', items: { type: 'string', 'x-corpus': 'stops', ...description } })['items']
  const key = { type: 'string', description: 'Key of an entry of `stops`.' }
  t.same(described({}), key)
  t.same(described({ description: 'The station.' }), { ...key, description: `The station. (${key.description})` })
  t.end()
})

t.test('an enumeration of words says that it is text, a record says what it holds', t => {
  t.same(plainSchema({ enum: ['a'] }), { type: 'string', enum: ['a'] })
  t.same(plainSchema({ type: 'object', patternProperties: { '^.*$': { type: 'integer' } } }), {
    type: 'object',
    additionalProperties: { type: 'integer' }
  })
  t.same(plainSchema({ type: 'object', patternProperties: { '^a': {} } }), {
    type: 'object',
    patternProperties: { '^a': {} }
  })
  t.end()
})

t.test('members of an object schema', t => {
  t.same(membersOf({ type: 'object', properties: { a: { type: 'string' }, b: { enum: ['x'] } }, required: ['b'] }), [
    { name: 'a', schema: { type: 'string' }, required: false },
    { name: 'b', schema: { type: 'string', enum: ['x'] }, required: true }
  ])
  t.end()
})

t.test('a condition is left out, and its neighbours stay', t => {
  const properties = { kind: { type: 'string' } }
  const condition = {
    if: { properties: { kind: { const: 'a' } } },
    then: { required: ['b'] },
    else: { properties: { b: false } }
  }
  t.same(plainSchema({ type: 'object', properties, allOf: [condition] }), { type: 'object', properties })
  t.same(plainSchema({ type: 'object', properties, ...condition }), { type: 'object', properties })
  t.same(plainSchema({ type: 'object', allOf: [condition, { required: ['kind'] }] }), {
    type: 'object',
    allOf: [{ required: ['kind'] }]
  })
  t.end()
})
