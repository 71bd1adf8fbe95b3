import t from 'tap'
import { differences, siblingKinds, siblingsOf } from '../../../surfaces/cards/siblings.ts'
import { zoro } from './facts.ts'

const self = { ...zoro, name: 'Zoro', lang: 'en', sku: 'op-op01-001-en' }
const beside = (more: Partial<typeof zoro>) => siblingsOf(self, [{ ...self, sku: 'other', ...more }])[0]

t.test('each rule decides, the first that holds', t => {
  const rules: readonly (readonly [Partial<typeof zoro>, string])[] = [
    [{ sku: self.sku, name: 'Zoro (Parallel)' }, 'self'],
    [{ set_code: 'PROMO' }, 'promo'],
    [{ set_code: 'P', name: 'Zoro (Parallel)' }, 'promo'],
    [{ set_code: 'P-01' }, 'promo'],
    [{ set_code: 'p_x' }, 'promo'],
    [{ set_code: 'ST00' }, 'promo'],
    [{ set_code: 'PRB01' }, 'super-parallel'],
    [{ set_code: 'OP02' }, 'super-parallel'],
    [{ set_code: 'op01', lang: 'ja' }, 'language'],
    [{ name: 'Zoro (Promo)', variant: 'parallel' }, 'promo'],
    [{ name: 'ゾロ(プロモ)', lang: 'ja' }, 'promo'],
    [{ name: 'Zoro (Parallel)' }, 'parallel'],
    [{ name: 'ゾロ(パラレル)', lang: 'ja' }, 'parallel'],
    [{ variant: 'parallel foil' }, 'parallel'],
    [{ name: 'Zoro (Alternate Art)' }, 'alt-art'],
    [{ variant: 'alt-art' }, 'alt-art'],
    [{ lang: 'ja', variant: 'p1' }, 'language'],
    [{ variant: 'p1', attributes: { treatment: 'alternate art' } }, 'alt-art'],
    [{ variant: 'r1', attributes: { reprint_of: 'OP01-001', treatment: 'alternate art' } }, 'reprint'],
    [{ attributes: { stamp: 'winner', finish: 'foil' } }, 'stamp'],
    [{ attributes: { finish: 'foil' }, printed_in: { kind: 'product', name: 'Box' } }, 'finish'],
    [{ variant: 'p1' }, 'unknown'],
    [{ name: 'Compromotion' }, 'unknown']
  ]
  for (const [more, kind] of rules) t.equal(beside(more)?.kind, kind, JSON.stringify(more))
  for (const [more] of rules) t.ok((beside(more)?.reason.length ?? 0) > 10)
  t.end()
})

t.test('another edition is no other art, and is called by its name', t => {
  const next = (one: string, other: string) =>
    siblingsOf({ ...self, variant: one }, [{ ...self, sku: 'other', variant: other }])[0]
  for (const [one, other, name] of [
    ['First', 'Unlimited', 'Unlimited'],
    ['First-Rainbow', 'Unlimited', 'Unlimited'],
    ['Alpha', 'Unlimited-Rainbow', 'Unlimited'],
    ['Unlimited', '1st Edition', '1st Edition']
  ] as const) {
    t.match(
      next(one, other),
      { kind: 'edition', reason: `Another edition of the number: ${name}.` },
      `${one} and ${other}`
    )
  }
  t.equal(next('First', 'First-Rainbow')?.kind, 'unknown', 'of one edition')
  t.equal(next('', 'First')?.kind, 'unknown', 'where only one says which it is')
  t.equal(next('First', 'Unlimited-Alternate Art')?.kind, 'alt-art', 'which says that it has other art')
  t.end()
})

t.test('differences are those that sources state, and unknown is alone', t => {
  const box = { kind: 'product', name: 'Box' }
  const set = { kind: 'set', name: 'Tides', code: 'OP02' }
  const cases: readonly (readonly [Partial<typeof zoro>, readonly string[]])[] = [
    [{ sku: self.sku }, []],
    [{}, ['unknown']],
    [{ variant: 'p1' }, ['unknown']],
    [{ lang: 'ja', printed_in: { ...set, name: '海' } }, ['language', 'product']],
    [{ lang: 'ja', printed_in: { kind: 'set', name: '始', code: 'op01' } }, ['language']],
    [{ lang: 'ja', printed_in: box }, ['language']],
    [{ printed_in: box }, ['product']],
    [{ printed_in: null }, ['unknown']],
    [{ printed_in: set, attributes: { reprint_of: 'OP01-001' } }, ['product', 'reprint']],
    [
      { variant: 'First', attributes: { treatment: ['full art', 'half size'], finish: 'foil', stamp: 'winner' } },
      ['art', 'finish', 'edition', 'stamp']
    ],
    [{ attributes: { edition: 'Alpha' } }, ['edition']]
  ]
  const first = { ...self, variant: 'Unlimited', printed_in: { kind: 'set', name: 'Dawn', code: 'OP01' } }
  for (const [more, expected] of cases) {
    const [sibling] = siblingsOf(first, [{ ...first, sku: 'other', ...more }])
    t.same(sibling?.differsIn, expected, JSON.stringify(more))
    t.ok(sibling?.differsIn.every(one => differences.includes(one)))
  }
  t.match(siblingsOf(first, [{ ...first, sku: 'other', printed_in: box }]), [
    { kind: 'product', reason: /It came in another product: Box\.$/ }
  ])
  t.end()
})

t.test('the script of a name tells its language, as far as it can', t => {
  const names: readonly (readonly [string | null, string, string])[] = [
    ['Zoro', 'en', 'en'],
    ['Zoro', 'ja', 'en'],
    ['ゾロ', 'ja', 'ja'],
    ['ゾロ', 'en', 'ja'],
    ['海賊', 'ja', 'ja'],
    ['海贼', 'zh', 'unknown'],
    ['ゾロ (Parallel)', 'ja', 'ja'],
    ['Zoro（ゾロ）', 'en', 'en'],
    ['Zoro ゾロ', 'en', 'unknown'],
    ['123', 'en', 'unknown'],
    ['Зоро', 'ru', 'unknown'],
    ['', 'en', 'unknown'],
    [null, 'en', 'unknown']
  ]
  for (const [name, lang, expected] of names) t.equal(beside({ name, lang })?.effectiveLanguage, expected, String(name))
  t.end()
})

t.test('siblings are sorted by kind, then by SKU', t => {
  const family = [
    { ...self, sku: 'z', set_code: 'P' },
    { ...self, sku: 'b', variant: 'p2' },
    { ...self, sku: 'a', variant: 'p1' },
    { ...self, sku: 'y', lang: 'ja' },
    { ...self, sku: 'x', set_code: 'OP02' },
    self,
    { ...self, sku: 'w', variant: 'parallel' }
  ]
  const expected = [
    [self.sku, 'self'],
    ['y', 'language'],
    ['w', 'parallel'],
    ['x', 'super-parallel'],
    ['z', 'promo'],
    ['a', 'unknown'],
    ['b', 'unknown']
  ]
  t.same(
    siblingsOf(self, family).map(({ card, kind }) => [card.sku, kind]),
    expected
  )
  t.same(
    siblingsOf(self, [...family].reverse()).map(({ card, kind }) => [card.sku, kind]),
    expected
  )
  t.ok(expected.every(([, kind]) => (siblingKinds as readonly unknown[]).includes(kind)))
  t.end()
})
