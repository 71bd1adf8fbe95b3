import t from 'tap'
import { siblingKinds, siblingsOf } from '../../../surfaces/cards/siblings.ts'
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
    [{ variant: 'p1' }, 'alt-art'],
    [{ name: 'Compromotion' }, 'alt-art']
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
  t.equal(next('First', 'First-Rainbow')?.kind, 'alt-art', 'of one edition')
  t.equal(next('', 'First')?.kind, 'alt-art', 'where only one says which it is')
  t.equal(next('First', 'Unlimited-Alternate Art')?.kind, 'alt-art', 'which says that it has other art')
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
    ['a', 'alt-art'],
    ['b', 'alt-art'],
    ['w', 'parallel'],
    ['x', 'super-parallel'],
    ['z', 'promo']
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
