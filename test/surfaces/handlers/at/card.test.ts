import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import cardAt from '../../../../surfaces/handlers/at/card.ts'
import { card } from '../../../../surfaces/handlers/universal.ts'
import { catalogueOf } from '../../cards/ask.ts'
import { cards } from '../../cards/catalogue-rows.ts'
import type { Document } from '../../cards/recompute.ts'

const { ask } = await catalogueOf(t)
const at = async (date: string, sku = 'op-op01-001-ja') => (await ask(cardAt, { params: { date, sku } })).document

t.test('the date is stated and changes nothing else', async t => {
  const document = await at('2026-05-01', 'OP-OP01-001-JA')
  t.match(document, {
    '@kind': 'card_at_date',
    '@as_of': { iso8601_date: '2026-05-01', unix_epoch_seconds: Date.UTC(2026, 4, 1, 23, 59, 59) / 1000 },
    as_of_scope: {
      requested_date_only: true,
      historical_price_reconstruction: false,
      historical_structure_reconstruction: false,
      structural_fields_source: 'current_catalog'
    },
    '@content_hash_contract': { requested_date_affects_hash: false },
    price: null,
    image_url: null
  })
  t.notOk('@density' in document)
  const other = await at('1999-12-31')
  const dated = ['@as_of', '@self_hash', '_links']
  t.same(
    Object.keys(document).filter(name => JSON.stringify(document[name]) !== JSON.stringify(other[name])),
    dated
  )
})

t.test('for every card the hash and the edges are those of its own document', async t => {
  for (const { sku } of cards) {
    const { document: own } = await ask(card, { params: { sku }, query: {} })
    const document = await at('2026-11-20', sku)
    for (const name of ['@content_hash', '@sources', 'in_set', 'of_game', 'name', 'attributes', 'rarity'])
      t.same(document[name], own[name], `${sku} ${name}`)
    t.equal((document['_links'] as Document)['temporal'], (own['_links'] as Document)['canonical'])
    t.equal(
      (own['_links'] as Document)['temporal'],
      (document['_links'] as Document)['canonical'],
      'the two lead to each other'
    )
  }
})

t.test('only calendar dates are dates', async t => {
  for (const date of ['0001-01-01', '2024-02-29', '9999-12-31'])
    t.equal(((await at(date))['@as_of'] as Document)['iso8601_date'], date)
  for (const date of [
    '2026-13-45',
    '2026-02-30',
    '2025-02-29',
    '2026-00-10',
    '2026-1-1',
    '20260501',
    '2026-05-01T00:00:00Z',
    '+002026-05-01',
    'today',
    ' 2026-05-01',
    '٢٠٢٦-٠٥-٠١'
  ]) {
    const error = await at(date).then(
      () => undefined,
      (failure: unknown) => failure
    )
    t.ok(error instanceof SurfaceError && error.code === 'INVALID_INPUT' && error.details?.['field'] === 'date', date)
  }
})

t.test('a card that is not held', async t => {
  await t.rejects(at('2026-05-01', 'op-op01-999-ja'), { code: 'NOT_FOUND', details: { field: 'sku' } })
})
