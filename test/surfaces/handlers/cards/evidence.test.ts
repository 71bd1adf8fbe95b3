import t from 'tap'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { everything, evidence } from '../../../../surfaces/handlers/cards.ts'
import { catalogueOf } from '../../cards/ask.ts'
import type { Document } from '../../cards/recompute.ts'

const { ask, database } = await catalogueOf(t)
const read = async (sku: string) => (await ask(evidence, { params: { sku } })).document

const statements = [
  { source: 'one-source', value: 'R' },
  { source: 'two-source', value: 'SR' }
]
await database
  .knex('disagreements')
  .insert(
    ['rarity', 'name', 'attributes.cost'].map(field => ({
      sku: 'op-op01-002-ja',
      field,
      statements: JSON.stringify(statements)
    }))
  )

/** What only one class of claim may carry. */
const own = {
  reference: ['amount_gbp', 'observed_at', 'is_offer'],
  market: ['best_ask_gbp', 'best_bid_gbp', 'ask_count', 'bid_count', 'offers'],
  completed_sales: ['published_bucket_count'],
  community_observations: ['publication_status', 'as_of'],
  structure: ['observed_by', 'disagreements']
}

t.test('classes of claims are never mixed', async t => {
  const document = await read('op-op01-002-ja')
  t.same(compileSchema(evidence.reply)(document), [])
  const classes = Object.keys(own) as (keyof typeof own)[]
  for (const name of classes) {
    const members = Object.keys(document[name] as Document)
    for (const other of classes)
      t.same(
        members.filter(member => own[other].includes(member)),
        other === name ? own[name] : [],
        `${name} carries members of ${other} only when it is ${other}`
      )
  }
  t.equal(new Set(classes.map(name => (document[name] as Document)['kind'])).size, classes.length)
})

t.test('no value is stated of a price, an offer, a sale or a report', async t => {
  t.match(await read('op-op01-001-ja'), {
    aggregate_rights: 'NOASSERTION',
    reference: { amount_gbp: null, observed_at: null, is_offer: false },
    market: { best_ask_gbp: null, best_bid_gbp: null, ask_count: 0, bid_count: 0 },
    completed_sales: { state: 'paused', buckets: [], published_bucket_count: 0, source_rights: 'internal-only' },
    community_observations: { state: 'paused', publication_status: 'paused', buckets: [], as_of: null }
  })
})

await database.knex('set_statements').insert({ id: 1, digest: '', statement: '{}' })
await database
  .knex('observations')
  .insert({
    source: 'one-source',
    native_id: '1',
    sku: 'op-op01-001-ja',
    game: 'op',
    digest: '',
    row: '{}',
    statement_id: 1
  })

t.test('the sources that declare the game, and those that are not read at all, are shown with their state', async t => {
  const states = (await read('op-op01-001-ja'))['source_states'] as Document[]
  t.same(
    states.map(({ id, state, observed_this_card: observed }) => [id, state, observed]),
    [
      ['one-source', 'observed', true],
      ['two-source', 'planned', false],
      ['blocked-source', 'blocked', false],
      ['planned-source', 'planned', false]
    ]
  )
  for (const state of states) t.match(state, { withheld: true, license: 'NOASSERTION', reason: /./ })
  t.match(states[1], { reason: /No import/ }, 'a source that never ran is not observed, and says so')
  t.same(
    (await ask(everything, { params: { sku: 'op-op01-001-ja' } })).document['source_states'],
    states,
    'everything says the same'
  )
  t.same(
    ((await read('dm-st01-1-en'))['source_states'] as Document[]).map(({ id }) => id),
    ['two-source', 'blocked-source', 'planned-source']
  )
})

t.test('who observed the card, and where they disagree', async t => {
  t.match((await read('op-op01-002-ja'))['structure'], {
    observed_by: [{ id: 'one-source', name: 'The one-source' }, { id: 'two-source' }],
    disagreements: [
      { field: 'attributes.cost', statements },
      { field: 'name', statements },
      { field: 'rarity', statements }
    ]
  })
  t.match((await read('op-op01-001-ja'))['structure'], { observed_by: [{ id: 'one-source' }], disagreements: [] })
})

t.test('canonical and older forms lead to one answer', async t => {
  for (const sku of ['op-op01-001-ja', 'OP-OP01-001-JA', 'OP-OP01-001-JP', 'op-op01-jp-001'])
    t.equal((await read(sku))['sku'], 'op-op01-001-ja', sku)
})

t.test('what is no full SKU is refused, what is not held is absent', async t => {
  for (const sku of ['OP01-001', 'nonsense', 'op-op01-001'])
    await t.rejects(read(sku), { code: 'INVALID_SKU', details: { field: 'sku' } }, sku)
  await t.rejects(read('OP-OP01-999-JP'), { code: 'NOT_FOUND', details: { canonical_sku: 'op-op01-999-ja' } })
})
