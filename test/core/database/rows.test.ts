import t from 'tap'
import Type from 'typebox'
import { closed, NullableText, Text } from '../../../core/contract/shapes.ts'
import { silent } from '../../../core/database/connection.ts'
import { openReader } from '../../../core/database/reader.ts'
import { createReadRows, RowFault } from '../../../core/database/rows.ts'
import { testDatabase } from '../../support/database.ts'

const {
  database: { knex, rows, target }
} = await testDatabase(t, 'empty')

t.test('rows have the columns that their schema names, with the types of the driver', async t => {
  const Row = closed({
    word: Text,
    nothing: NullableText,
    whole: Type.Integer(),
    much: Type.Integer(),
    day: Text,
    at: Text,
    words: Type.Array(Text)
  })
  const columns =
    "'a' as word, null as nothing, 1 as whole, 7::bigint as much, date '2026-11-22' as day, timestamptz '2026-11-22 12:00:00+00' as at, array['b'] as words"
  t.same(await rows(Row, knex.raw(`select ${columns}`)), [
    { word: 'a', nothing: null, whole: 1, much: 7, day: '2026-11-22', at: '2026-11-22T12:00:00.000Z', words: ['b'] }
  ])
  t.same(await rows(Row, knex.raw(`select ${columns} where false`)), [])
  t.same(
    await rows(closed({ n: Type.Integer() }), knex.select(knex.raw('1 as n'))),
    [{ n: 1 }],
    'a built query as well'
  )
})

t.test('a column too many, one that is missing and one of another type are faults that name it', async t => {
  const Row = closed({ id: Type.Integer(), of: Type.Object({ name: Text }) })
  const read = async (columns: string): Promise<unknown> => await rows(Row, knex.raw(`select ${columns}`))
  await t.resolves(read(`1 as id, '{"name":"a"}'::json as of`))
  for (const [columns, place] of [
    [`1 as id, '{"name":"a"}'::json as of, 2 as more`, /more/],
    [`'{"name":"a"}'::json as of`, /id/],
    [`'1' as id, '{"name":"a"}'::json as of`, /\/id/],
    [`null::int as id, '{"name":"a"}'::json as of`, /\/id/],
    [`1 as id, '{"name":"a","age":2}'::json as of`, /\/of.*age/]
  ] as const)
    await t.rejects(read(columns), { name: 'RowFault', message: place }, columns)
})

t.test('a lookup checks the values of a row in their order', async t => {
  const reader = openReader({ target, log: silent, checkRows: true })
  t.teardown(() => reader.close())
  const lookup = (name: string, columns: readonly Type.TSchema[]) =>
    reader
      .createLoader({
        name,
        sql: 'select key, 5, null::text from unnest($1::text[]) key',
        columns,
        keyOf: ([key]) => String(key)
      })
      .load('a')
  t.same(await lookup('right', [Text, Type.Integer(), NullableText]), ['a', 5, null])
  await t.rejects(lookup('null', [Text, Type.Integer(), Text]), RowFault)
  await t.rejects(lookup('short', [Text, Type.Integer()]), RowFault)
  await t.rejects(lookup('long', [Text, Type.Integer(), NullableText, Text]), RowFault)
})

t.test('while serving, nothing is checked', async t => {
  t.same(await createReadRows(false)(closed({ id: Text }), knex.raw('select 1 as n')), [{ n: 1 }])
})
