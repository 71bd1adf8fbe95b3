// test: slow.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import t, { type Test } from 'tap'
import { migrationsOf, packageFolder } from '../../bin/roots.ts'
import { sha256Hex } from '../../core/canonical/json.ts'
import { restore } from '../../core/database/backup/restore.ts'
import type { Database } from '../../core/database/database.ts'
import { refreshNames } from '../../surfaces/cards/search/derive-names.ts'
import { importSource } from '../../surfaces/importer.ts'
import { testDatabase } from '../support/database.ts'
import { migrate, status } from '../support/migrations.ts'
import { schemaOf } from '../support/schema-of.ts'
import { dataFolder, lantern } from '../surfaces/import/lantern.ts'

// Both files were written by commit 2d6c1593 (0.2.0): `pantry dev-seed`, two imports of the invented game `lan`, and
// then `pantry backup`, and pg_dump --inserts of PostgreSQL 15.
const read = (file: string): Buffer => readFileSync(join(packageFolder, 'test/migrations', file))
const backup = read('0.2.0.sql')

/** A database that stands at 0025. */
async function oldDatabase(t: Test): Promise<Awaited<ReturnType<typeof testDatabase>>> {
  const made = await testDatabase(t, 'empty')
  const client = new pg.Client({ connectionString: made.url })
  await client.connect()
  await client.query(read('0025.sql').toString())
  await client.end()
  return made
}

/** What `schema_migrations` has is another list, and the names are derived again. */
const derived = ['schema_migrations', 'schema_migrations_lock', 'card_names', 'name_starts', 'name_words']

type Columns = Readonly<Record<string, readonly string[]>>

/** The columns of each table, in an order that is always the same. */
async function columnsIn({ bulk }: Database): Promise<Columns> {
  const { rows } = await bulk.raw<{ rows: { name: string; columns: string[] }[] }>(`
    select table_name as name, array_agg(column_name::text order by column_name) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' group by 1`)
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
}

type Held = Readonly<Record<string, Readonly<{ rows: number; digest: string }>>>

/** The rows of tables, without those of `except`: what an older database held is looked up by its own columns. */
async function heldIn({ bulk }: Database, columns: Columns, except: readonly string[] = []): Promise<Held> {
  const held: [string, Held[string]][] = []
  for (const [name, of] of Object.entries(columns).filter(([name]) => ![...derived, ...except].includes(name))) {
    const { rows } = await bulk.raw<{ rows: { row: string }[] }>(
      `select row(${of.map(column => `"${column}"`).join(', ')})::text as row from "${name}"`
    )
    const texts = rows.map(({ row }) => row).sort()
    held.push([name, { rows: texts.length, digest: sha256Hex(texts.join('\n')) }])
  }
  return Object.fromEntries(held)
}

/** Tables whose rows end with a restore. */
const ended = ['sessions', 'sign_in_codes', 'mailed_codes', 'passkey_challenges', 'invitations', 'idempotency_keys']

/** A dump repeats `or` without the parentheses that PostgreSQL adds when it first reads it. */
const definedIn = async (url: string): Promise<readonly object[]> =>
  (await schemaOf(url)).map(one => ({ ...one, definition: one.definition?.replaceAll(/[()]/g, '') }))

/** The schema is that of a new database, the new columns are filled, and an import goes on. */
async function serves(t: Test, { database, url }: Awaited<ReturnType<typeof testDatabase>>): Promise<void> {
  const { bulk } = database
  t.same(await definedIn(url), await definedIn((await testDatabase(t)).url))
  const { pending, unknown } = await status(bulk)
  t.same([pending, unknown], [[], []])
  t.same(
    await bulk('card_hashes').orderBy('sku').select('content_hash', 'game', 'sku'),
    await bulk('cards').orderBy('sku').select('content_hash', 'game', 'sku')
  )
  for (const table of ['observations', 'set_listings'])
    t.same(await bulk(table).distinct('game').pluck('game'), ['lan'], table)
  await refreshNames(database)
  t.ok((await bulk('card_names').pluck<string[]>('id')).length >= 4)
  t.match(await importSource(database, lantern, { folder: dataFolder }), { read: 5, withdrawals: { cards: 0 } })
  t.equal((await bulk('cards').pluck<string[]>('sku')).length, 5)
}

t.test('a database of 0.2.0 is adopted without losing a row, and has the schema of a new one', async t => {
  const old = await oldDatabase(t)
  const { bulk } = old.database
  const columns = await columnsIn(old.database)
  const before = await heldIn(old.database, columns)
  t.ok(Object.values(before).filter(({ rows }) => rows > 0).length >= 30)
  t.match(await status(bulk), { unknown: [] })
  t.same(
    [...(await migrate(bulk))].sort(),
    migrationsOf([])
      .map(({ name }) => name)
      .sort(),
    'those that adopt come before those that only add'
  )
  t.same(await heldIn(old.database, columns), before)
  t.same(await migrate(bulk), [], 'a second run does nothing')
  await serves(t, old)
  await migrate(bulk, 'reset')
  t.same((await status(bulk)).done, [], 'and it can be taken back')
})

t.test('a database that ran the migrations after 0025 as well is adopted too', async t => {
  const old = await oldDatabase(t)
  const { bulk } = old.database
  // What 0026, 0027 and 0029 did.
  await bulk.raw('alter table mailed_codes add asked_by text')
  await bulk.raw('alter table sign_in_codes alter column attempts_left set default 5')
  await bulk.raw('create table seals (name text primary key, secret text not null)')
  await bulk.raw('alter table people add suspension_changed_at timestamptz, add roles_changed_at timestamptz')
  await bulk.raw('alter table access_keys add tier_changed_at timestamptz, add scopes_changed_at timestamptz')
  for (const table of [...ended, 'seals']) await bulk.raw(`comment on table ${table} is 'Ends with a restore.'`)
  await bulk.raw('truncate card_names, name_starts, name_words')
  for (const name of ['0026_shares', '0027_restored', '0029_short_names'])
    await bulk('schema_migrations').insert({ name, batch: 2, migration_time: bulk.fn.now() })
  const columns = await columnsIn(old.database)
  const before = await heldIn(old.database, columns)
  t.match(await status(bulk), { unknown: [] })
  await migrate(bulk)
  t.same(await heldIn(old.database, columns), before)
  await serves(t, old)
})

t.test('a backup of 0.2.0 restores, also over what is there', async t => {
  const migrations = migrationsOf([])
  const original = await oldDatabase(t)
  const columns = await columnsIn(original.database)
  const before = await heldIn(original.database, columns, ended)
  for (const [where, target] of [
    ['an empty database', await testDatabase(t, 'empty')],
    ['a database that is used', await testDatabase(t)],
    ['a database of 0.2.0', original]
  ] as const) {
    const bytes = Readable.from([backup])
    const { rows } = await restore(target.database.bulk, bytes, { migrations, replace: true })
    t.equal(rows, 134, where)
    t.same(await heldIn(target.database, columns, ended), before, where)
    for (const table of ended) t.same(await target.database.bulk(table).select(), [], `${table} of ${where}`)
    await serves(t, target)
  }
})

t.test('a database that stands before 0.2.0 is named, and not touched', async t => {
  const { database } = await oldDatabase(t)
  await database.bulk('schema_migrations').where({ name: '0025_limits_and_keys' }).delete()
  const columns = await columnsIn(database)
  const before = await heldIn(database, columns)
  await t.rejects(migrate(database.bulk), { message: /0025_limits_and_keys has not run/ })
  t.same(await heldIn(database, columns), before)
  const text = backup.toString().replace(',"0025_limits_and_keys"', '')
  const { database: empty } = await testDatabase(t, 'empty')
  await t.rejects(
    restore(empty.bulk, Readable.from([Buffer.from(text)]), { migrations: migrationsOf([]), replace: false }),
    { message: /0025_limits_and_keys has not run/ }
  )
  t.same((await status(empty.bulk)).done, [])
})
