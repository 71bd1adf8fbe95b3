import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Impact } from '../../../bin/diff/change.ts'
import { compareSchemas } from '../../../bin/diff/surfaces.ts'
import type { JsonSchema } from '../../../core/canonical/json.ts'

const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required
})
const text: JsonSchema = { type: 'string' }

type Case = readonly [name: string, base: JsonSchema, head: JsonSchema, input: Impact, output: Impact]

const cases: readonly Case[] = [
  ['a member is gone', object({ a: text }), object({}), 'breaking', 'breaking'],
  ['an optional member is new', object({}), object({ a: text }), 'additive', 'additive'],
  ['a required member is new', object({}), object({ a: text }, ['a']), 'breaking', 'additive'],
  ['a member becomes required', object({ a: text }), object({ a: text }, ['a']), 'breaking', 'additive'],
  ['a member becomes optional', object({ a: text }, ['a']), object({ a: text }), 'additive', 'breaking'],
  [
    'an enumeration is narrowed',
    object({ a: { enum: ['x', 'y'] } }),
    object({ a: { enum: ['x'] } }),
    'breaking',
    'additive'
  ],
  [
    'an enumeration is widened',
    object({ a: { enum: ['x'] } }),
    object({ a: { enum: ['x', 'y'] } }),
    'additive',
    'additive'
  ],
  [
    'an enumeration appears',
    object({ a: text }),
    object({ a: { type: 'string', enum: ['x'] } }),
    'breaking',
    'additive'
  ],
  ['an enumeration ends', object({ a: { type: 'string', enum: ['x'] } }), object({ a: text }), 'additive', 'breaking'],
  ['an enumeration becomes its type', object({ a: { enum: ['x'] } }), object({ a: text }), 'additive', 'breaking'],
  ['a type appears', object({ a: {} }), object({ a: text }), 'breaking', 'additive'],
  ['a type ends', object({ a: text }), object({ a: {} }), 'additive', 'breaking'],
  ['null can come', object({ a: text }), object({ a: { type: ['string', 'null'] } }), 'additive', 'breaking'],
  ['a type changes', object({ a: text }), object({ a: { type: 'integer' } }), 'breaking', 'breaking'],
  [
    'a maximum is lowered',
    object({ a: { type: 'integer', maximum: 9 } }),
    object({ a: { type: 'integer', maximum: 5 } }),
    'breaking',
    'additive'
  ],
  [
    'a maximum is raised',
    object({ a: { type: 'integer', maximum: 5 } }),
    object({ a: { type: 'integer', maximum: 9 } }),
    'additive',
    'additive'
  ],
  [
    'a minimum length appears',
    object({ a: text }),
    object({ a: { type: 'string', minLength: 1 } }),
    'breaking',
    'additive'
  ],
  [
    'a pattern changes',
    object({ a: { type: 'string', pattern: 'a' } }),
    object({ a: { type: 'string', pattern: 'b' } }),
    'breaking',
    'documentation'
  ],
  [
    'a description changes',
    object({ a: { type: 'string', description: 'x' } }),
    object({ a: { type: 'string', description: 'y' } }),
    'documentation',
    'documentation'
  ],
  [
    'deep inside a list',
    object({ a: { type: 'array', items: object({ b: text }) } }),
    object({ a: { type: 'array', items: object({}) } }),
    'breaking',
    'breaking'
  ]
]

for (const [name, base, head, input, output] of cases) {
  t.test(name, t => {
    const worst = (direction: 'input' | 'output'): Impact | undefined => {
      const found = compareSchemas(base, head, direction).map(({ impact }) => impact)
      return (['breaking', 'additive', 'documentation'] as const).find(impact => found.includes(impact))
    }
    t.equal(worst('input'), input, 'for whoever sends it')
    t.equal(worst('output'), output, 'for whoever reads it')
    t.end()
  })
}

t.test('a message names the member by its place', t => {
  const [first] = compareSchemas(
    object({ a: { type: 'array', items: object({ b: text }) } }),
    object({ a: { type: 'array', items: object({}) } }),
    'output'
  )
  t.equal(first?.message, '`a[].b` is gone')
  t.end()
})

t.test('a schema does not differ from itself, however it is ordered', t => {
  const leaf = fc.constantFrom<JsonSchema>(
    text,
    { type: 'integer', minimum: 1 },
    { enum: ['x', 'y'] },
    { type: ['string', 'null'] }
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf), properties => {
      const reversed = Object.fromEntries(Object.entries(properties).reverse())
      assert.deepEqual(
        compareSchemas(object(properties), { required: [], properties: reversed, type: 'object' }, 'input'),
        []
      )
    })
  )
  t.end()
})
