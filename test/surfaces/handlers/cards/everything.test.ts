import t from 'tap'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { everything } from '../../../../surfaces/handlers/cards.ts'
import { everythingOf } from '../../../../surfaces/cards/card-answers.ts'
import { pathTo } from '../../../support/path-to.ts'
import { catalogueOf } from '../../cards/ask.ts'

const { ask, services } = await catalogueOf(t)
type Neighbour = Readonly<{ card_number: string; sku: string; name: string | null }> | null
type Neighbours = Readonly<{ previous: Neighbour; next: Neighbour }>
const read = async (sku: string) => (await ask(everything, { params: { sku } })).document

t.test('a card is shown with the printings of its game, set and number', async t => {
  const document = await read('OP-OP01-001-JA')
  t.same(compileSchema(everything.reply)(document), [])
  t.match(document, {
    card: {
      sku: 'op-op01-001-ja',
      game: 'op',
      set_code: 'op01',
      printed_code: 'OP01',
      set_name: 'First',
      card_number: 'OP01-001',
      variant: null,
      name_en: null,
      image_url: null
    },
    siblings: [
      { sku: 'op-op01-001-ja', is_self: true, variant_kind: 'self', differs_in: [] },
      { sku: 'op-op01-001-en', is_self: false, variant_kind: 'language', differs_in: ['language'] },
      { sku: 'op-op01-001-ja-p1', variant: 'p1', variant_kind: 'unknown', differs_in: ['unknown'] }
    ]
  })
  t.equal((document['siblings'] as unknown[]).length, 3, 'neither another number nor another game')
})

t.test('a card is shown with the numbers beside its own, in natural order', async t => {
  const { neighbours } = await read('op-op01-001-ja')
  t.equal((neighbours as Neighbours).previous, null, 'the first has none before it')
  const next = (neighbours as Neighbours).next
  t.match(next, { card_number: 'OP01-002', sku: /-ja/ })
  t.match((await read(next?.sku ?? ''))['neighbours'], { previous: { card_number: 'OP01-001', sku: 'op-op01-001-ja' } })
})

t.test('a number that another number starts with is no sibling', async t => {
  t.equal(await everythingOf(services.catalogue, services.sources, 'op-op01-00-ja', pathTo), undefined)
  t.match(await everythingOf(services.catalogue, services.sources, 'op-op01-010-ja', pathTo), {
    body: { siblings: [{ sku: 'op-op01-010-ja' }] }
  })
})

t.test('no value is published, and each place of one says so', async t => {
  t.match(await read('op-op01-001-ja-p1'), {
    prices_today: { snapshot_date: null, rows: [], agreement: null },
    history: [],
    reference_price: { reference_price_gbp: null, is_offer: false },
    composition: {
      calls: {
        card: 'ok',
        siblings: 'ok',
        price_sources: 'absent',
        cardshop_history: 'blocked',
        marketplace_history: 'blocked'
      }
    },
    card: { name_en: 'Zoro', variant: 'p1' }
  })
})

t.test('only a full SKU is looked up', async t => {
  for (const sku of ['OP01-001', 'op-op01-001', 'op-op01-001-jp-', 'nope', 'op op01 001 ja', 'op-op01-en-001-ja-x']) {
    await t.rejects(read(sku), { code: 'INVALID_SKU', details: { field: 'sku' } }, sku)
  }
  await t.rejects(read('op-op01-999-ja'), { code: 'NOT_FOUND', details: { sku: 'op-op01-999-ja' } })
  await t.rejects(read('op-op01-001-fr'), { code: 'NOT_FOUND' }, 'its siblings do not stand in for a card')
})
