import fc from 'fast-check'
import t from 'tap'
import { copyInto } from '../../../../core/database/copy.ts'
import { testDatabase } from '../../../support/database.ts'

const { database } = await testDatabase(t, 'empty')
const text = fc
  .oneof(
    fc.constantFrom('\\N', '\\.', '\\', '\t', 'a\nb', '\r\n', '"', '{}', ',', 'NULL', ''),
    fc.string({ unit: 'grapheme' })
  )
  .map(value => value.replaceAll('\0', ''))
const row = fc.tuple(
  fc.integer(),
  fc.option(text),
  fc.option(fc.array(text)),
  fc.option(text.map(value => JSON.stringify({ value })))
)

t.test('any text, list and JSON arrives as it was sent', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async rows => {
      const transaction = await database.bulk.transaction()
      try {
        await transaction.raw(
          'create temp table copied (position serial, number int, word text, list text[], json jsonb) on commit drop'
        )
        await copyInto(transaction, 'copied', ['number', 'word', 'list', 'json'], rows)
        const { rows: arrived } = await transaction.raw<{ rows: object[] }>(
          'select number, word, list, json from copied order by position'
        )
        t.same(
          arrived,
          rows.map(([number, word, list, json]) => ({
            number,
            word,
            list,
            json: json === null ? null : (JSON.parse(json) as unknown)
          }))
        )
      } finally {
        await transaction.rollback()
      }
    }),
    { numRuns: 25 }
  )
})

t.test('more than one piece of rows', async t => {
  const transaction = await database.bulk.transaction()
  await transaction.raw('create temp table copied (word text) on commit drop')
  await copyInto(
    transaction,
    'copied',
    ['word'],
    Array.from({ length: 50_000 }, (_, index) => [`word ${index}`])
  )
  const { rows } = await transaction.raw<{ rows: object[] }>('select count(distinct word)::int as count from copied')
  t.same(rows, [{ count: 50_000 }])
  await transaction.rollback()
})

t.test('a row the table refuses is an error, and the transaction can be rolled back', async t => {
  const transaction = await database.bulk.transaction()
  await transaction.raw('create temp table copied (number int) on commit drop')
  await t.rejects(copyInto(transaction, 'copied', ['number'], [['no number']]))
  await transaction.rollback()
})

t.test('a source of rows that fails ends the copy with its error', async t => {
  const transaction = await database.bulk.transaction()
  await transaction.raw('create temp table copied (number int) on commit drop')
  const rows = function* (): Generator<[number]> {
    yield [1]
    throw new Error('The file ended early.')
  }
  await t.rejects(copyInto(transaction, 'copied', ['number'], rows()), { message: 'The file ended early.' })
  await transaction.rollback()
  t.match(await database.bulk.raw('select 1 as one'), { rows: [{ one: 1 }] })
})
