// test: slow.
import { randomBytes } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { gazetteer } from '../support/registry.ts'

t.test('a role whose tables are in a schema of its own is served from there, and needs none in public', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const role = `keeper_${randomBytes(4).toString('hex')}`
  for (const sql of [
    `create role ${role} login`,
    `create schema island authorization ${role}`,
    `alter role ${role} set search_path = island`,
    'revoke all on schema public from public'
  ])
    await database.bulk.raw(sql)
  t.teardown(async () => {
    await database.bulk.raw(`drop owned by ${role} cascade`)
    await database.bulk.raw(`drop role ${role}`)
  })
  const root = relative(process.cwd(), t.testdir())
  for (const part of ['migrations', 'manifests', 'corpora'])
    cpSync(join(gazetteer, part), join(root, part), { recursive: true })
  const loaded = join(root, 'boats.csv')
  writeFileSync(loaded, 'id,name\n1,Tern\n')
  const env = { DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${role}@`), PANTRY_DATA_DIR: join(root, 'data') }
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await pantry([...args, '--root', root], env)
    t.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  const found = async (): Promise<unknown> => JSON.parse(await run('get', '/api/v1/places?q=hollow')) as unknown

  await run('migrate')
  t.match(await found(), { data: { returned: 2 } })
  t.match(await run('table', 'places', '--corpus', 'isle', '--dry-run'), /table: places\n/)
  await run('load', loaded, '--table', 'boats', '--key', 'id', '--no-migration')
  const file = join(root, 'backup.gz')
  await run('backup', file)
  await database.bulk.raw('delete from island.places')
  await run('restore', file, '--replace')
  t.match(await found(), { data: { returned: 2 } })
  const { rows } = await database.bulk.raw<{ rows: object[] }>(
    "select tablename from pg_tables where schemaname = 'public'"
  )
  t.same(rows, [], 'nothing came into public')
})
