import t from 'tap'
import {
  columnTypes,
  cardFieldNames,
  cardFields,
  sampleCard,
  shownFields
} from '../../../surfaces/cards/card-fields.ts'
import { writtenColumns, writtenValues } from '../../../surfaces/cards/card-row.ts'
import { testDatabase } from '../../support/database.ts'

t.test('the migrations make the columns that the table of fields declares', async t => {
  const { database } = await testDatabase(t)
  const { rows } = await database.bulk.raw<{ rows: { name: string; type: string; is_nullable: boolean }[] }>(`
    select attname as name, format_type(atttypid, null) as type, not attnotnull as is_nullable
    from pg_attribute where attrelid = 'cards'::regclass and attnum > 0 and not attisdropped`)
  const columns = new Map(rows.map(({ name, ...column }) => [name, column]))
  for (const name of cardFieldNames) {
    const { sql, isNullable } = columnTypes[cardFields[name].type]
    t.same(columns.get(name), { type: sql, is_nullable: isNullable }, name)
  }
  const others = ['set_id', 'first_seen_at', 'updated_at']
  t.same(
    [...columns.keys()].sort(),
    [...writtenColumns, ...others].sort(),
    'and no other that an import would have to write'
  )
})

t.test('a row has a value for every column, and the table a member for every fact that documents show', t => {
  t.equal(writtenValues(sampleCard('example')).length, writtenColumns.length)
  t.same(
    cardFieldNames.filter(name => !shownFields.some(([shown]) => shown === name)),
    ['name_translations', 'sources']
  )
  t.end()
})
