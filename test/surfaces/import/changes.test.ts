import t from 'tap'
import { CardHistory } from '../../../surfaces/cards/card-history.ts'
import { documentForm, refreshDocuments } from '../../../surfaces/cards/writing.ts'
import { forgetSource, importSource } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows, type Row } from './rows-on-disk.ts'

const { database } = await testDatabase(t)
const folder = scratchFolder(t)
const history = new CardHistory(database)
const load = (rows: readonly Row[], options: { dryRun?: boolean } = {}, id = 'plain') =>
  importSource(database, plain(id), { folder: writeRows(folder, rows), ...options })
const sku = (number: string): string => `lan-ab1-${number}-en`
const hashOf = async (number: string): Promise<string> => (await history.bySku(sku(number)))?.content_hash ?? 'none'
t.beforeEach(async () => {
  await database.bulk.raw(
    'truncate runs, games, sets, cards, observations, sightings, declared_sets, disagreements, withdrawals, quarantine, card_changes restart identity cascade'
  )
})

t.test('what changed, when and in which run, newest first, and no value of it', async t => {
  await load([
    { id: 'a', name: 'Canary' },
    { id: 'b', number: '002' }
  ])
  await load([
    { id: 'a', name: 'Canary' },
    { id: 'b', number: '002' }
  ])
  t.match(
    await history.changes(sku('001'), 10),
    [{ kind: 'first-seen', run: 1, source: 'plain', fields: [], former_content_hash: null }],
    'an import that changes nothing is no change'
  )
  await load(
    [
      { id: 'a', name: 'Robin' },
      { id: 'b', number: '002' }
    ],
    { dryRun: true }
  )
  await load([
    { id: 'a', name: 'Robin' },
    { id: 'b', number: '002' }
  ])
  const changes = await history.changes(sku('001'), 10)
  t.match(changes, [
    { kind: 'changed', run: 4, source: 'plain', fields: ['name'], former_content_hash: null },
    { kind: 'first-seen' }
  ])
  t.equal(changes.length, 2)
  t.ok(changes.every(({ at }) => !Number.isNaN(Date.parse(at))))
  t.equal((await history.changes(sku('002'), 10)).length, 1)
  t.equal((await history.changes(sku('001'), 1)).length, 1)
  t.same(await history.changes(sku('404'), 10), [])
  const { rows } = await database.bulk.raw<{ rows: object[] }>('select * from card_changes')
  t.notMatch(JSON.stringify(rows), /Canary|Robin/)
})

t.test('an old SKU and an old hash lead to the card as it is now, however often it moved', async t => {
  await load([{ id: 'a' }])
  const [first, id] = [await hashOf('001'), 'a']
  await load([{ id, number: '002' }])
  const second = await hashOf('002')
  await load([{ id, number: '003' }])
  for (const number of ['001', '002', '003']) t.equal((await history.bySku(sku(number)))?.sku, sku('003'), number)
  for (const hash of [first, second])
    t.same(await history.byFormerHash(hash), { sku: sku('003'), content_hash: await hashOf('003') })
  t.equal(await history.byFormerHash(await hashOf('003')), undefined, 'a hash of now is no former one')
  t.match(await history.changes(sku('001'), 10), [
    { kind: 'withdrawn', run: 2, source: 'plain', former_content_hash: first }
  ])
  await load([{ id: 'z', number: '009' }])
  t.equal(await history.bySku(sku('001')), undefined, 'what nobody observes leads nowhere')
  t.equal(await history.byFormerHash(first), undefined)
})

t.test('SKUs that follow each other in a circle lead to the one that is held', async t => {
  for (const number of ['001', '002', '001']) await load([{ id: 'a', number }])
  t.equal((await history.bySku(sku('002')))?.sku, sku('001'))
  t.equal((await history.bySku(sku('001')))?.sku, sku('001'))
})

t.test('a document that the service writes otherwise keeps the way from its old hash', async t => {
  await load([{ id: 'a' }])
  const now = await hashOf('001')
  const old = 'ab'.repeat(32)
  await database.bulk.raw("update cards set content_hash = ?, digest = 'x'", [old])
  await database.bulk.raw("update runs set document_form = 'older'")
  t.equal(await refreshDocuments(database, documentForm), 1)
  t.same(await history.byFormerHash(old), { sku: sku('001'), content_hash: now })
  t.match(await history.changes(sku('001'), 10), [
    { kind: 'rewritten', run: null, source: null, fields: [], former_content_hash: old },
    { kind: 'first-seen' }
  ])
})

t.test('what a source said is forgotten with its changes', async t => {
  await load([{ id: 'a', name: 'One' }])
  await load([{ id: 'a', name: 'Two' }])
  await load([{ id: 'z', name: 'Two' }], {}, 'other')
  await forgetSource(database, 'plain')
  t.equal((await history.changes(sku('001'), 10)).filter(({ run }) => run === 2).length, 0)
  t.equal((await history.bySku(sku('001')))?.sku, sku('001'))
})
