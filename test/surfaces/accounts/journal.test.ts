import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { JournalFile } from '../../../surfaces/accounts/journal.ts'
import { Keys } from '../../../surfaces/accounts/keys.ts'
import { People } from '../../../surfaces/accounts/people.ts'
import { Receipts } from '../../../surfaces/accounts/receipts.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t)
const { knex } = database

t.test('what was ended is ended again after a backup from before came back, and nothing else', async t => {
  const folder = t.testdir()
  const file = join(folder, 'journal', 'endings.ndjson')
  const journal = new JournalFile(folder)
  const [people, keys, receipts] = [new People(database, journal), new Keys(database, journal), new Receipts(database, journal)]
  const [gone, stays] = [await people.add('canary-gone', []), await people.add('stays', [])]
  const { made: { id: revoked } } = await keys.create({ kind: 'agent', name: 'x', contact: 'a@example.org', person: stays.id })
  const { made: { id: kept } } = await keys.create({ kind: 'agent', name: 'y', contact: 'a@example.org', person: stays.id })
  const withdrawn = await receipts.give(stays.id, 'profile', '1')
  const given = await receipts.give(stays.id, 'region', '1')
  t.notOk(existsSync(file), 'what begins is not written down')
  const before = await Promise.all(['people', 'access_keys', 'publication_receipts'].map(async table => ({ table, rows: await knex(table).select<Record<string, unknown>[]>('*') })))
  await people.leave(gone.id)
  await keys.revoke(revoked)
  await receipts.withdraw(stays.id, 'profile')
  t.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, 3)
  t.notMatch(readFileSync(file, 'utf8'), /canary|stays/)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(await journal.reapply(database), 0, 'all of it is ended')

  await knex('people').delete()
  for (const { table, rows } of before) await knex(table).insert(rows)
  t.ok(await people.byName('canary-gone'), 'a backup came back')
  t.equal(await journal.reapply(database), 3)
  t.equal(await people.byName('canary-gone'), undefined)
  t.same((await keys.of(stays.id)).filter(({ revoked_at: at }) => at === null).map(({ id }) => id), [kept])
  t.same((await receipts.of(stays.id)).filter(({ withdrawn_at: at }) => at === null).map(({ id }) => id), [given.id])
  t.ok(withdrawn.id)
})

t.test('a line that was cut off and one that says something else end nothing', async t => {
  const folder = t.testdir()
  const { id } = await new People(database).add('survivor', [])
  mkdirSync(join(folder, 'journal'))
  writeFileSync(join(folder, 'journal', 'endings.ndjson'), `{"act":"people.leave","subject":"${id}\n`)
  appendFileSync(join(folder, 'journal', 'endings.ndjson'), `{"act":"drop","subject":"${id}"}\n{"act":"people.leave","subject":"' or true --"}\nnull\n`)
  t.equal(await new JournalFile(folder).reapply(database), 0)
  t.ok(await new People(database).byName('survivor'))
})

t.test('where the journal cannot be written nobody has left', async t => {
  const folder = t.testdir({ journal: 'a file, where a folder should be' })
  const people = new People(database, new JournalFile(folder))
  const { id } = await people.add('wants-to-leave', [])
  await t.rejects(people.leave(id))
  t.ok(await people.byName('wants-to-leave'))
})
