import fc from 'fast-check'
import t from 'tap'
import {
  buildSku,
  decodePart,
  encodePart,
  parseSku,
  SkuError,
  skuLimit,
  type Sku
} from '../../../surfaces/cards/sku.ts'

const card = { game: 'op', set: 'OP01', number: '001', lang: 'en', variant: '' }
const awkward = fc.constantFrom('a', 'Z', '0', '-', '_', '.', '~', ' ', '/', '★', "'", 'é', 'カ', '\u{1F0CF}', '\u00a0')
const part = fc.array(awkward, { minLength: 1, maxLength: 6 }).map(list => list.join(''))
const skus: fc.Arbitrary<Sku> = fc
  .record({
    game: fc.constantFrom('op', 'fab', 'l5r'),
    set: part,
    number: part,
    lang: fc.constantFrom('en', 'ja', 'zh-hans', 'pt-br'),
    variant: fc.oneof(fc.constant(''), part)
  })
  .filter(sku => encodePart(sku.set + sku.number + sku.variant).length < 120)

t.test('ordinary identities read as one expects', t => {
  t.equal(buildSku(card), 'op-op01-001-en')
  t.equal(buildSku({ ...card, variant: 'p1' }), 'op-op01-001-en-p1')
  t.equal(buildSku({ ...card, game: 'ptcgp', set: 'PROMO-A', number: '7' }), 'ptcgp-promo_a-7-en')
  t.equal(buildSku({ ...card, lang: 'zh-Hans' }), 'op-op01-001-zh_hans')
  t.equal(buildSku({ ...card, game: 'ws', set: 'CCS/WX01', number: '001' }), 'ws-ccs~2fwx01-001-en')
  t.equal(
    buildSku({ ...card, game: 'fab', set: 'WTR', number: '001', variant: 'Alpha-Rainbow-Extended Art' }),
    'fab-wtr-001-en-alpha_rainbow_extended.art'
  )
  t.end()
})

t.test('identities that differ only in case are one identity', t => {
  t.equal(buildSku({ ...card, set: 'op01' }), buildSku(card))
  t.end()
})

t.test('a SKU reads back to the identity it was built from', t => {
  fc.assert(
    fc.property(skus, sku => {
      const lower = {
        ...sku,
        set: sku.set.toLowerCase(),
        number: sku.number.toLowerCase(),
        variant: sku.variant.toLowerCase()
      }
      const read = parseSku(buildSku(sku))
      return read !== undefined && JSON.stringify(read) === JSON.stringify(lower)
    })
  )
  t.end()
})

t.test('two different identities never share a SKU', t => {
  const identity = (sku: Sku): string => JSON.stringify(Object.values(sku).map(value => value.toLowerCase()))
  fc.assert(fc.property(skus, skus, (a, b) => (identity(a) === identity(b)) === (buildSku(a) === buildSku(b))))
  t.end()
})

t.test('a part is plain ASCII without the separator, and any text survives it', t => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
      const encoded = encodePart(text)
      return /^[a-z0-9_.~]+$/.test(encoded) && decodePart(encoded) === text.toLowerCase()
    })
  )
  t.end()
})

t.test('only the canonical spelling is read', t => {
  for (const text of [
    'OP-op01-001-en',
    'op-op01-001',
    'op-op01-001-en-p1-x',
    'op--001-en',
    'op-op01-001-en-',
    'op-op01-001-e',
    'op-op01-001-006',
    'op-op~30-001-en',
    'op-op~2F-001-en',
    'op-op~2-001-en',
    'op-op~ff-001-en',
    'op-op~c3~89-001-en',
    'op-op01-001-en\n',
    'o_p-op01-001-en',
    ''
  ])
    t.equal(parseSku(text), undefined, JSON.stringify(text))
  t.end()
})

t.test('a SKU that cannot be built says which part is at fault', t => {
  const field = (sku: Sku): string => {
    try {
      return buildSku(sku)
    } catch (error) {
      return error instanceof SkuError ? error.field : String(error)
    }
  }
  t.equal(field({ ...card, set: '' }), 'set')
  t.equal(field({ ...card, number: '\ud800' }), 'number')
  t.equal(field({ ...card, game: 'One Piece' }), 'game')
  t.equal(field({ ...card, lang: 'english language' }), 'lang')
  t.equal(field({ ...card, variant: 'カ'.repeat(20) }), 'sku')
  t.equal(buildSku({ ...card, variant: 'x'.repeat(skuLimit - 15) }).length, skuLimit)
  t.equal(parseSku(buildSku(card) + '-' + 'x'.repeat(skuLimit)), undefined)
  t.end()
})
