import t from 'tap'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { byUpstream } from '../../../../surfaces/handlers/federation.ts'
import { catalogueOf } from '../../cards/ask.ts'

const { ask, database } = await catalogueOf(t)
const answer = async (query: object) => (await ask(byUpstream, { query })).document

await database.knex('observations').insert(
  [
    ['one-source', 'A 1', 'op-op01-001-ja'],
    ['one-source', 'gone', 'op-op01-099-ja'],
    ['two-source', 'A 1', 'op-op01-002-ja']
  ].map(([source, native_id, sku]) => ({ source, native_id, sku, game: 'op', digest: '', row: '{}', statement_id: 1 }))
)

t.test('an id of a source leads to its card, and each source has its own ids', async t => {
  t.match(await answer({ source: 'one-source', id: 'A 1' }), {
    status: 'resolved',
    resolved: { sku: 'op-op01-001-ja', universal_url: '/api/v1/universal/card/op-op01-001-ja' }
  })
  t.match(await answer({ source: 'TWO-SOURCE', id: 'A 1' }), {
    source: 'two-source',
    status: 'resolved',
    resolved: { sku: 'op-op01-002-ja' }
  })
})

t.test('what was a card and is withdrawn says so, as the 404 of the card does', async t => {
  const sku = 'op-op01-555-en'
  await database.knex('sightings').insert([
    { source: 'one-source', native_id: 'was', sku: 'op-op01-554-en', from_run: 1, until_run: 2 },
    { source: 'one-source', native_id: 'was', sku, from_run: 2, until_run: 3 }
  ])
  t.match(
    await answer({ source: 'one-source', id: 'was' }),
    { status: 'not_held' },
    'of a row that was read otherwise, nothing is known'
  )
  await database
    .knex('withdrawals')
    .insert({ sku, successor: null, source: 'one-source', withdrawn_at: '2026-11-21T10:00:00Z', reason: 'gone' })
  const document = await answer({ source: 'one-source', id: 'was' })
  t.same(compileSchema(byUpstream.reply)(document), [])
  t.match(document, {
    status: 'withdrawn',
    native_id: 'was',
    resolved: null,
    note: 'The card `op-op01-555-en` was withdrawn on 2026-11-21: `one-source` lists it no more.',
    withdrawn: { sku, on: '2026-11-21', source: 'one-source', reason: 'gone', successor: null }
  })
  t.match(
    await answer({ source: 'two-source', id: 'was' }),
    { status: 'not_held', withdrawn: null },
    'each source has its own ids'
  )
})

t.test('what did not become a card is not held', async t => {
  for (const id of ['gone', 'a 1', 'A  1', '', 'nothing', "'; select 1"])
    t.match(await answer({ source: 'one-source', id }), { status: 'not_held', native_id: id, resolved: null })
})

t.test('a source without an id can be asked', async t => {
  t.match(await answer({ source: 'one-source' }), { status: 'available', native_id: null, resolved: null })
})

t.test('a source that is not read says so, whatever is asked', async t => {
  for (const [source, status] of [
    ['blocked-source', 'blocked'],
    ['planned-source', 'planned']
  ] as const) {
    for (const id of [undefined, 'A 1']) {
      await t.rejects(answer({ source, id }), {
        code: 'SOURCE_UNAVAILABLE',
        status: 503,
        message: `It is ${status}.`,
        data: { source, status, resolved: null },
        headers: { 'Retry-After': '86400' }
      })
    }
  }
})

t.test('a source that is not registered', async t => {
  await t.rejects(answer({ source: 'nobody' }), {
    code: 'NOT_FOUND',
    details: {
      field: 'source',
      allowed: ['one-source', 'two-source', 'other-source', 'blocked-source', 'planned-source']
    }
  })
})
