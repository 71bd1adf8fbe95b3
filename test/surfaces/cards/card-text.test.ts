// test: slow.
import fc from 'fast-check'
import t from 'tap'
import { cardFieldNames, cardFields, type CardFacts } from '../../../surfaces/cards/card-fields.ts'
import { cardDocument } from '../../../surfaces/cards/documents/card.ts'
import { storedCardOf, wholeText } from '../../../surfaces/cards/card-row.ts'
import { buildSku } from '../../../surfaces/cards/sku.ts'
import { packageFolder } from '../../../surfaces/import/reading/files.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import { declaredSources } from '../import/bundled-sources.ts'
import { unknownCard } from './facts.ts'

const text = fc
  .oneof(
    fc.constantFrom('xqsku', 'xqset', '"xqlang"', '{"xqattribute":"xqvalue"}', 'a"b\\c', 'ÄÖ 灯', '../?#%', '\u007f'),
    fc.string({ unit: 'grapheme', minLength: 1 })
  )
  .map(value => value.replace(/[\u0000-\u001f]/g, '-'))
const token = fc.constantFrom('op', 'lan', 'xqgame')
const lang = fc.constantFrom('en', 'ja', 'zh-hans')
const names = fc.option(fc.dictionary(lang, text))
const attributes = fc.option(
  fc.dictionary(fc.constantFrom('cost', 'types', 'power'), fc.oneof(text, fc.integer(), fc.array(text)))
)
const anyOf = {
  word: text,
  text: fc.option(text),
  texts: fc.option(fc.array(text)),
  count: fc.option(fc.nat()),
  members: attributes,
  faces: fc.option(
    fc.array(fc.record({ side: fc.option(text), name: fc.option(text), attributes }), { minLength: 2, maxLength: 3 })
  ),
  labels: fc.array(fc.constantFrom('one', 'two', 'three'), { minLength: 1 })
}
const facts = fc.record({
  ...Object.fromEntries(cardFieldNames.map(name => [name, anyOf[cardFields[name].type]])),
  game: token,
  lang,
  variant: fc.oneof(fc.constant(''), text),
  name_translations: names
}) as fc.Arbitrary<CardFacts>

t.test('the text of any card is that of its document', t => {
  fc.assert(
    fc.property(facts, given => {
      let sku = 'lan-a-1-en'
      try {
        sku = buildSku({
          game: given.game,
          set: given.set_code,
          number: given.card_number,
          lang: given.lang,
          variant: given.variant
        })
      } catch {
        // Not every random identity has a SKU; the document does not mind which it is.
      }
      const card: CardFacts = { ...given, sku }
      const [fast, slow] = [storedCardOf(card), cardDocument(card)]
      t.equal(wholeText(fast.document), slow.document)
      t.equal(fast.contentHash, slow.contentHash)
    }),
    { numRuns: 500 }
  )
  t.end()
})

t.test('the same for every bundled card', async t => {
  let wrong = 0
  for (const { id, reader, upstream } of declaredSources().values()) {
    if (upstream.package === undefined || reader === undefined) continue
    for await (const mapped of mappedRows(reader, packageFolder(upstream.package, import.meta.url))) {
      if ('reason' in mapped) continue
      const card = { ...mapped.row, sku: mapped.sku, sources: [id] }
      const [fast, slow] = [storedCardOf(card), cardDocument(card)]
      if (
        wholeText(fast.document) !== slow.document ||
        fast.contentHash !== slow.contentHash ||
        fast.document.length > slow.document.length / 3
      )
        wrong += 1
    }
  }
  t.equal(wrong, 0)
})

t.test('a digest covers every fact, and a text that is stored whole stays as it is', t => {
  const card: CardFacts = {
    ...unknownCard,
    sku: 'lan-a-1-en',
    game: 'lan',
    set_code: 'A',
    card_number: '1',
    lang: 'en',
    variant: '',
    name: 'One',
    name_translations: { en: 'One' },
    rarity: 'C',
    illustrators: ['Ann'],
    attributes: { cost: 1 },
    sources: ['one']
  }
  const changes: Partial<CardFacts>[] = [
    {},
    { set_code: 'a' },
    { card_number: '01' },
    { lang: 'ja' },
    { variant: 'p' },
    { name: 'Two' },
    { name_translations: null },
    { rarity: null },
    { illustrators: null },
    { attributes: { cost: 2 } },
    { sources: ['two'] }
  ]
  t.equal(new Set(changes.map(change => storedCardOf({ ...card, ...change }).digest)).size, changes.length)
  t.equal(wholeText(cardDocument(card).document), cardDocument(card).document)
  t.end()
})

t.test('a control character is refused as there', t => {
  t.throws(() => storedCardOf({ ...unknownCard, name: '\u0001' }), { message: /control character/ })
  t.end()
})
