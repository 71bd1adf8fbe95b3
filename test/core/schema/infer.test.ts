import fc from 'fast-check'
import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { checkSchema, compileSchema } from '../../../core/schema/compile.ts'
import { inferSchema } from '../../../core/schema/infer.ts'

t.test('a value fits the schema read off it', t => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const schema = inferSchema(value as JsonValue)
      return checkSchema(schema).length === 0 && compileSchema(schema)(value).length === 0
    }),
    { numRuns: 60 }
  )
  t.end()
})

t.test('items of a list are merged: nullable where one is null, required where all have it', t => {
  t.same(
    inferSchema([
      { a: 1, b: null },
      { a: 2.5, b: 'x', c: true }
    ]),
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: ['null', 'string'] }, c: { type: 'boolean' } },
        required: ['a', 'b']
      }
    }
  )
  t.same(
    inferSchema([{}, { toString: 0 }, { ['__proto__']: 1 }]).items,
    { type: 'object', properties: { toString: { type: 'integer' }, ['__proto__']: { type: 'integer' } }, required: [] },
    'a member may have the name of an inherited one'
  )
  t.same(inferSchema([]), { type: 'array' })
  t.same(inferSchema(null), { type: 'null' })
  t.end()
})
