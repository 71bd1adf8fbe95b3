import t from 'tap'
import byUpstream from '../../../../surfaces/handlers/federation/by-upstream.ts'
import { catalogueOf } from '../../catalogue/ask.ts'

const { ask, database } = await catalogueOf(t)
const answer = async (query: object) => (await ask(byUpstream, { query })).document

await database.knex('observations').insert([
  ['one-source', 'A 1', 'op-op01-001-ja'], ['one-source', 'gone', 'op-op01-099-ja'], ['two-source', 'A 1', 'op-op01-002-ja']
].map(([source, native_id, sku]) => ({ source, native_id, sku, digest: '', row: '{}', statement_id: 1 })))

t.test('an id of a source leads to its card, and each source has its own ids', async t => {
  t.match(await answer({ source: 'one-source', id: 'A 1' }), { status: 'resolved', resolved: { sku: 'op-op01-001-ja', universal_url: '/api/v1/universal/card/op-op01-001-ja' } })
  t.match(await answer({ source: 'TWO-SOURCE', id: 'A 1' }), { source: 'two-source', status: 'resolved', resolved: { sku: 'op-op01-002-ja' } })
})

t.test('what did not become a card is not held', async t => {
  for (const id of ['gone', 'a 1', 'A  1', '', 'nothing', "'; select 1"]) t.match(await answer({ source: 'one-source', id }), { status: 'not_held', native_id: id, resolved: null })
})

t.test('a source without an id can be asked', async t => {
  t.match(await answer({ source: 'one-source' }), { status: 'available', native_id: null, resolved: null })
})

t.test('a source that is not read says so, whatever is asked', async t => {
  for (const [source, status] of [['blocked-source', 'blocked'], ['planned-source', 'planned']] as const) {
    for (const id of [undefined, 'A 1']) {
      await t.rejects(answer({ source, id }), {
        code: 'SOURCE_UNAVAILABLE', status: 503, message: `It is ${status}.`, data: { source, status, resolved: null }, headers: { 'Retry-After': '86400' }
      })
    }
  }
})

t.test('a source that is not registered', async t => {
  await t.rejects(answer({ source: 'nobody' }), { code: 'NOT_FOUND', details: { field: 'source', allowed: ['one-source', 'two-source', 'other-source', 'blocked-source', 'planned-source'] } })
})
