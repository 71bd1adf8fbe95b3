import t from 'tap'
import { compareTables, hasTables } from '../../../../core/database/tables/compare.ts'
import { describeTable, schemaOfType } from '../../../../core/database/tables/describe.ts'
import type { Diagnostic } from '../../../../core/diagnostics/diagnostic.ts'
import { migrateRoot } from '../../../support/migrate-root.ts'
import { testDatabase } from '../../../support/database.ts'
import { gazetteer, library, registryOf } from '../../../support/registry.ts'

const {
  database: { bulk: knex }
} = await testDatabase(t, 'empty')
await migrateRoot(knex, gazetteer)
const { registry } = await registryOf([gazetteer])

const shown = ({ code, severity, message }: Diagnostic): string => `${code} ${severity}: ${message}`

/** Compares after a change, which is then taken back. */
async function after(sql: string): Promise<readonly string[]> {
  const trx = await knex.transaction()
  await trx.raw(sql)
  const found = await compareTables(trx, registry)
  await trx.rollback()
  return found.map(shown)
}

t.test('the table of a migration is as it is declared, except for one index', async t => {
  t.same((await compareTables(knex, registry)).map(shown), ['D106 warning: No index helps to find a part of `name`.'])
  t.ok(hasTables(registry))
  t.notOk(hasTables((await registryOf([library])).registry))
})

t.test('each difference has its code, and says what differs', async t => {
  const part = 'D106 warning: No index helps to find a part of `name`.'
  for (const [sql, found] of [
    [
      'drop table places cascade',
      ['D101 error: There is no table `harbours`.', 'D101 error: There is no table `places`.']
    ],
    ['alter table places drop column notes', ['D102 error: `places` has no column `notes`.', part]],
    [
      'drop index places_words_idx; alter table places drop column words; alter table places add words text',
      [
        'D102 error: `places` has no column `words` of type `tsvector`.',
        part,
        'D106 warning: No index helps to search `words`.'
      ]
    ],
    [
      'drop view harbours; alter table places alter column population type text; create view harbours as select id, name, kind, null::integer as population from places',
      ['D103 error: The column `population` is `text`, and `integer` is declared.', part]
    ],
    [
      'alter table places alter column founded type text',
      ['D103 error: The column `founded` is `text`, and `string` is declared.', part]
    ],
    [
      'create table others (id text primary key); drop view harbours; create table harbours (id text primary key references others, name text not null, kind text not null, population integer)',
      [
        'D107 warning: The foreign key of `id` leads to `others`, and `x-corpus` to rows of `places`.',
        part,
        'D106 warning: No index helps to compare or sort by `kind`.',
        'D106 warning: No index helps to compare or sort by `population`.',
        'D106 warning: No index helps to compare or sort by `name`.',
        part
      ]
    ],
    [
      'alter table places alter column other_names drop not null',
      ['D104 warning: The column `other_names` may be null, and null is not declared.', part]
    ],
    [
      'alter table places drop constraint places_pkey',
      [
        'D105 warning: Nothing keeps the key `id` unique.',
        'D106 warning: No index helps to compare or sort by `id`.',
        part
      ]
    ],
    ['drop index places_kind_idx', ['D106 warning: No index helps to compare or sort by `kind`.', part]],
    ['drop index places_lower_idx', ['D106 warning: No index helps to compare without case `name`.', part]],
    ['drop index places_other_names_idx', [part, 'D106 warning: No index helps to find an item of `other_names`.']],
    ['drop index places_words_idx', [part, 'D106 warning: No index helps to search `words`.']],
    [
      'drop view harbours; alter table places rename to island; create view places as select * from island; create view harbours as select id, name, kind, population from island',
      []
    ]
  ] as const)
    t.same(await after(sql), found, sql)
})

t.test('a table is described with what the database knows', async t => {
  t.match(await describeTable(knex, 'public.places'), {
    isView: false,
    comment: 'Places of the island',
    key: ['id'],
    columns: [
      { name: 'id', type: 'bigint', isNullable: false, comment: null },
      { name: 'name', type: 'text', isNullable: false },
      {},
      { name: 'population', type: 'integer', isNullable: true, comment: 'Inhabitants at the last survey.' }
    ]
  })
  t.equal(await describeTable(knex, 'nowhere'), undefined)
  t.equal(await describeTable(knex, 'places_pkey'), undefined, 'an index is no table')
  t.equal(await describeTable(knex, 'nowhere.places'), undefined)
})

t.test('each type has a schema, or is not served', t => {
  t.same(
    ['bigint', 'numeric', 'text[]', 'integer[]', 'inet', 'jsonb', 'bytea', 'tsvector', 'bytea[]'].map(schemaOfType),
    [
      { type: 'integer' },
      { type: 'number' },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'integer' } },
      { type: 'string' },
      {},
      undefined,
      undefined,
      undefined
    ]
  )
  t.end()
})
