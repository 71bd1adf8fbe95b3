import fc from 'fast-check'
import t from 'tap'
import { parseExactly } from '../../../core/database/exact-json.ts'
import { testDatabase } from '../../support/database.ts'

t.test('a number that is not exact is the text that was written, and all else is as JSON.parse has it', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  for (const [written, value] of [
    ['9007199254740991', 9007199254740991],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740992', 9007199254740992],
    ['1152921504606846976', '1152921504606846976'],
    ['100000000000000000000', 1e20],
    ['0.30000000000000004', 0.30000000000000004],
    ['3.14159265358979323846', Math.PI],
    ['"9007199254740993"', '9007199254740993'],
    ['"a \\" 9007199254740993 \\\\"', 'a " 9007199254740993 \\'],
    ['{"9007199254740993":[9007199254740993,1]}', { '9007199254740993': ['9007199254740993', 1] }],
    ['null', null]
  ] as const)
    for (const type of ['json', 'jsonb']) {
      const { rows } = await bulk.raw<{ rows: Readonly<Record<'one' | 'all', unknown>>[] }>(
        `select cast(? as ${type}) as one, to_json(array[cast(? as ${type})]) as all`,
        [written, written]
      )
      t.same(rows, [{ one: value, all: [value] }], `${written} as ${type}`)
    }
  const large = `1${'0'.repeat(400)}`
  t.equal(parseExactly('1e400'), '1e400')
  t.equal(parseExactly(large), large)
  t.equal(parseExactly('9007199254740993e0'), '9007199254740993e0')
  t.equal(parseExactly('9007199254740.993E3'), '9007199254740.993E3')
  t.equal(parseExactly('12e3'), 12000)
  t.equal(parseExactly('0e5'), 0)
})

t.test('what JavaScript writes is read as it was', t => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      t.same(parseExactly(JSON.stringify(value)), JSON.parse(JSON.stringify(value)))
    })
  )
  t.end()
})
