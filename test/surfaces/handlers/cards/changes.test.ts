import t from 'tap'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { changes } from '../../../../surfaces/handlers/cards.ts'
import { at, identify } from '../../../../surfaces/handlers/federation.ts'
import { catalogueOf } from '../../cards/ask.ts'

const { ask, database } = await catalogueOf(t)
const [moved, old, oldest] = ['op-op01-777-en', 'op-op01-888-en', '0a'.repeat(32)]
const now = 'op-op01-001-en'
const changed = {
  kind: 'changed',
  run: null,
  source: 'one-source',
  changed_at: '2026-11-21T10:00:00Z',
  fields: [] as string[],
  former_hash: null
}
await database.knex('card_changes').insert([
  { ...changed, sku: now, fields: ['rarity', 'attributes.cost'] },
  { ...changed, sku: old, kind: 'withdrawn', former_hash: oldest }
])
await database.knex('withdrawals').insert(
  [
    [old, moved],
    [moved, now]
  ].map(([sku, successor]) => ({
    sku,
    successor,
    source: 'one-source',
    withdrawn_at: '2026-11-21T10:00:00Z',
    reason: 'moved'
  }))
)

t.test('a card that is held has its changes, newest first', async t => {
  const { document } = await ask(changes, { params: { sku: now.toUpperCase() } })
  t.same(compileSchema(changes.reply)(document), [])
  t.match(document, {
    sku: now,
    held: true,
    moved_to: null,
    returned: 2,
    changes: [
      { at: /^2026-11-21T/, kind: 'changed', fields: ['rarity', 'attributes.cost'] },
      { kind: 'first-seen', at: /^2026-11-20T/ }
    ]
  })
})

t.test('a card that was withdrawn keeps the line of when it was first seen', async t => {
  const gone = 'op-op01-666-en'
  const [first, second] = await database
    .knex('runs')
    .insert(
      ['2026-11-18', '2026-11-19'].map(day => ({
        source: 'one-source',
        status: 'succeeded',
        started_at: day,
        finished_at: day
      }))
    )
    .returning<{ id: number }[]>('id')
  await database
    .knex('sightings')
    .insert([{ source: 'one-source', native_id: 'g', sku: gone, from_run: first!.id, until_run: second!.id }])
  await database.knex('card_changes').insert({ ...changed, sku: gone, kind: 'withdrawn' })
  t.match((await ask(changes, { params: { sku: gone } })).document, {
    held: false,
    returned: 2,
    changes: [
      { kind: 'withdrawn' },
      {
        kind: 'first-seen',
        at: /^2026-11-18T/,
        run: first!.id,
        source: 'one-source',
        fields: [],
        former_content_hash: null
      }
    ]
  })
})

t.test('a former SKU leads to what the card is now', async t => {
  t.match((await ask(changes, { params: { sku: old } })).document, {
    held: false,
    moved_to: { sku: now, universal: `/api/v1/universal/card/${now}` },
    changes: [{ kind: 'withdrawn', former_content_hash: oldest }]
  })
  await t.rejects(ask(changes, { params: { sku: 'op-op01-404-en' } }), { code: 'NOT_FOUND' })
  await t.rejects(ask(changes, { params: { sku: 'OP01-001' } }), { code: 'INVALID_SKU' })
})

t.test('a former hash leads to the card and its hash of now, with and without a date', async t => {
  for (const [code, params] of [
    [identify, { hash: oldest }],
    [at, { hash: oldest, date: '2026-11-20' }]
  ] as const) {
    const { document } = await ask(code, { params })
    t.match(document, {
      matched: false,
      resolved: null,
      superseded_by: { sku: now, content_hash: /^[0-9a-f]{64}$/, universal_url: `/api/v1/universal/card/${now}` }
    })
    const { content_hash: hash } = document['superseded_by'] as unknown as { content_hash: string }
    t.match((await ask(code, { params: { ...params, hash } })).document, {
      matched: true,
      sku: now,
      superseded_by: null
    })
    t.match((await ask(code, { params: { ...params, hash: 'ff'.repeat(32) } })).document, {
      matched: false,
      superseded_by: null
    })
  }
})
