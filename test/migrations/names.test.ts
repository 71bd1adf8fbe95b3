import { randomBytes } from 'node:crypto'
import t from 'tap'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { silent } from '../../core/database/connection.ts'
import { deletionHashes } from '../../surfaces/cards/search/fold-name.ts'
import { NameIndex } from '../../surfaces/cards/search/name-index.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { migrate } from '../support/migrations.ts'

/** Words that are found for each, over a few words of names. */
async function near(database: Database, ...asked: readonly string[]): Promise<(readonly string[])[]> {
  await database
    .bulk('name_words')
    .insert(['charizard', 'monkey', 'ルフィー'].map(word => ({ word, marks: [...deletionHashes(word)] })))
  await eventually(() => {
    if (database.reader.connected() === 0) throw new Error('the readers are not connected yet')
  })
  const index = new NameIndex(database)
  return await Promise.all(asked.map(async word => await index.nearTo(word)))
}

const known = async ({ bulk }: Database, table: string): Promise<boolean> =>
  (
    await bulk.raw<{ rows: unknown[] }>(
      `select from ${table} where ${table === 'pg_extension' ? 'extname' : 'name'} = 'pg_trgm'`
    )
  ).rows.length > 0

const oneMistake = ['charizrd', 'mnokey', 'ルフー']
const severalMistakes = 'chrzard'

t.test('where the server has pg_trgm, words with several mistakes are found too', async t => {
  const { database } = await testDatabase(t)
  const has = await known(database, 'pg_available_extensions')
  t.equal(await known(database, 'pg_extension'), has)
  t.same(await near(database, ...oneMistake, severalMistakes), [
    ['charizard'],
    ['monkey'],
    ['ルフィー'],
    has ? ['charizard'] : []
  ])
})

t.test('where it has not, or we may not make it, words with one are', async t => {
  const {
    database: { bulk },
    url
  } = await testDatabase(t, 'empty')
  const role = `test_${randomBytes(8).toString('hex')}`
  await bulk.raw(`create role ${role} login`)
  await bulk.raw(`grant all on schema public to ${role}`)
  const target = new URL(url)
  target.username = role
  const database = await openDatabase({ url: target.href, dataDir: '', log: silent, checkRows: true, isPatient: true })
  t.teardown(async () => {
    await database.close()
    await bulk.raw(`drop owned by ${role}`)
    await bulk.raw(`drop role ${role}`)
  })
  await migrate(database.bulk)
  t.notOk(await known(database, 'pg_extension'))
  t.same(await near(database, ...oneMistake, severalMistakes), [['charizard'], ['monkey'], ['ルフィー'], []])
})
