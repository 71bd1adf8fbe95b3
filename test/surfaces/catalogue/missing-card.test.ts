import t from 'tap'
import { missingCard } from '../../../surfaces/catalogue/missing-card.ts'
import { catalogueOf } from './ask.ts'
import atCard from '../../../surfaces/handlers/at/card.ts'
import everything from '../../../surfaces/handlers/cards/everything.ts'
import evidence from '../../../surfaces/handlers/cards/evidence.ts'
import card from '../../../surfaces/handlers/universal/card.ts'

t.test('an older form is answered with the canonical one, what is no SKU with none', t => {
  t.match(missingCard('OP-OP01-999-JP'), { code: 'NOT_FOUND', details: { field: 'sku', sku: 'op-op01-999-jp', canonical_sku: 'op-op01-999-ja' } })
  t.match(missingCard('op-op01-999-ja'), { details: { canonical_sku: 'op-op01-999-ja' } })
  t.match(missingCard('nonsense'), { message: 'There is no card `nonsense` here.', details: { canonical_sku: null, documented_at: '/api/v1/universal/encoding' } })
  t.end()
})

t.test('every surface of one card says the same of one that is not held', async t => {
  const { ask } = await catalogueOf(t)
  const sku = 'op-op99-999-ja'
  for (const handler of [card, atCard, everything, evidence]) await t.rejects(ask(handler, { params: { sku, date: '2026-05-01' } }), missingCard(sku))
})
