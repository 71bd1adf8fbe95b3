import t from 'tap'
import { refreshDocuments } from '../../../surfaces/cards/writing.ts'
import { storedCardOf } from '../../../surfaces/cards/card-row.ts'
import { testDatabase } from '../../support/database.ts'
import { setContentHash } from '../../../surfaces/cards/documents/sets-and-games.ts'
import { cards, insertCatalogue, sets } from './catalogue-rows.ts'

const { database } = await testDatabase(t)
const { knex } = database
await insertCatalogue(database)
const run = (source: string, form: string | null, status = 'succeeded') => ({
  source,
  status,
  started_at: new Date(),
  document_form: form
})
await knex('runs').insert([
  run('one-source', 'new'),
  run('one-source', null),
  run('one-source', 'new', 'failed'),
  run('two-source', 'new')
])

const documents = async () =>
  new Map(
    (
      await knex('cards').select<{ sku: string; document: string; digest: string; content_hash: string }[]>(
        'sku',
        'document',
        'digest',
        'content_hash'
      )
    ).map(row => [row.sku, row])
  )
const age = async () => {
  await knex('cards').update({ document: 'old', digest: 'old' })
  await knex('sets').update({ content_hash: 'old' })
}

t.test('documents of another form are rewritten from the facts', async t => {
  await age()
  t.equal(await refreshDocuments(database, 'new'), cards.length)
  const held = await documents()
  for (const card of cards) {
    const { contentHash, document, digest } = storedCardOf(card)
    t.same(held.get(card.sku), { sku: card.sku, document, digest, content_hash: contentHash })
  }
  t.same(
    (await knex('sets').pluck<string[]>('content_hash')).sort(),
    sets.map(setContentHash).sort(),
    'and so are the hashes of sets'
  )
})

t.test('a second time every document is up to date', async t => {
  await age()
  t.equal(await refreshDocuments(database, 'new'), 0, 'every last run has the form')
  t.equal((await documents()).get('op-op01-001-ja')?.document, 'old', 'and no card is read')
})

t.test('another form rewrites every document that differs and keeps the others', async t => {
  t.equal(await refreshDocuments(database, 'newer'), cards.length)
  t.equal(await refreshDocuments(database, 'newest'), 0)
})

t.test('nothing imported is nothing to do', async t => {
  await knex('runs').del()
  t.equal(await refreshDocuments(database, 'other'), 0)
})
