import fc from 'fast-check'
import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { checkSchema, compileSchema } from '../../../core/schema/compile.ts'
import { inferSchema, coerceText } from '../../../core/schema/json-schema.ts'

t.test('a text means what its schema declares, and stays text where it cannot', t => {
  const cases: readonly (readonly [type: unknown, text: string, value: unknown])[] = [
    ['integer', '5', 5],
    ['integer', '-5', -5],
    ['integer', '5.0', '5.0'],
    ['integer', '1e3', '1e3'],
    ['integer', '', ''],
    ['integer', ' 5', ' 5'],
    ['number', '5', 5],
    ['number', '2.5', 2.5],
    ['number', '-0.5', -0.5],
    ['number', '.5', '.5'],
    ['number', '5.', '5.'],
    ['number', '1e3', '1e3'],
    ['number', 'Infinity', 'Infinity'],
    ['number', '1234567890123456', '1234567890123456'],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'yes', 'yes'],
    ['boolean', '1', '1'],
    ['string', '5', '5'],
    ['string', 'true', 'true'],
    [undefined, '5', '5'],
    [['number', 'null'], '2.5', 2.5],
    [['integer', 'string'], 'x', 'x']
  ]
  for (const [type, text, value] of cases)
    t.equal(coerceText({ ...(type === undefined ? {} : { type }) }, text), value, `${String(type)} ${text}`)
  t.end()
})

t.test('a value fits the schema read off it', t => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const schema = inferSchema(value as JsonValue)
      return checkSchema(schema).length === 0 && compileSchema(schema)(value).length === 0
    }),
    { numRuns: 60, examples: [[[[{ toString: '' }, {}]]]] }
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
