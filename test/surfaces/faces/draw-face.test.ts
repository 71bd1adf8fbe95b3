import fc from 'fast-check'
import t from 'tap'
import { sha256Hex, type JsonObject } from '../../../core/canonical/json.ts'
import { drawFace, faceSizes, type FaceSize } from '../../../surfaces/faces/draw-face.ts'
import { drawnOf, type DrawnAttribute, type FaceFacts } from '../../../surfaces/faces/look.ts'
import type { RarityScale } from '../../../surfaces/cards/rarities.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { elementTexts, markupProblem } from '../../support/markup.ts'
import { entriesOf } from '../import/bundled-sources.ts'

const textIn = (entry: JsonObject, member: string): string => entry[member] as string
const games = new Map(entriesOf('games').map(game => [textIn(game, 'token'), game]))
// Entries are checked when the service loads them.
const attributes = entriesOf('drawn-attributes') as unknown as readonly DrawnAttribute[]
const glyphs = entriesOf('glyphs') as unknown as Parameters<typeof drawnOf>[1]
const drawn = drawnOf(attributes, glyphs, game => games.get(game)?.rarities as RarityScale | undefined)

const facts = (given: Partial<FaceFacts> = {}): FaceFacts => ({
  game: 'op',
  set_code: 'OP01',
  set_name: 'Romance Dawn',
  card_number: 'OP01-001',
  lang: 'en',
  name: 'Roronoa Zoro',
  rarity: 'L',
  variant: '',
  attributes: { category: 'leader', colours: ['Red'], attribute: 'Slash', life: 5, power: 5000 },
  content_hash: sha256Hex('one'),
  ...given
})
const sizes = Object.keys(faceSizes) as FaceSize[]

/** The size of each text in CSS pixels, where the face is shown as small as it may be. */
const textSizes = (svg: string, size: FaceSize): number[] =>
  [...svg.matchAll(/font-size="([^"]*)"/g)].map(
    ([, letters]) => (Number(letters) * faceSizes[size].leastShown) / faceSizes[size].width
  )

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 90 }),
  fc.string({ unit: 'grapheme', maxLength: 90 }),
  fc.constantFrom('<script>alert(1)</script>', '"><image href="https://a.example"/>', ']]>&amp;', '\ud800x', ''),
  fc.constantFrom('無限に続く長い名前の海賊王とその仲間たちの物語', 'ملك القراصنة الذي لا يهزم أبدا', 'W'.repeat(80))
)
const value = fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 4 }))
const names = attributes.map(({ attribute }) => attribute)
const anyFacts = fc
  .record({
    game: fc.constantFrom(...games.keys(), 'new'),
    set_code: text,
    set_name: fc.option(text),
    card_number: text,
    lang: fc.constantFrom('en', 'ja', 'ar', 'zh-hans', 'xx'),
    name: fc.option(text),
    rarity: fc.option(fc.oneof(text, fc.constantFrom('C', 'SEC', 'Common', 'Legendary'))),
    variant: fc.oneof(text, fc.constantFrom('', 'p1', 'r2', 'First-Rainbow')),
    attributes: fc.option(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 })),
    content_hash: fc.nat().map(seed => sha256Hex(String(seed)))
  })
  .map(given => ({ ...given, attributes: given.attributes }))

t.test('any facts give a well-formed face: the same each time, readable, nothing from outside', async () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...sizes), (given, size) => {
      const svg = drawFace(given, size, drawn)
      const problem = markupProblem(svg, 'xml')
      if (problem !== undefined) throw new Error(problem)
      if (svg !== drawFace({ ...given }, size, drawn)) throw new Error('not the same bytes')
      if (textSizes(svg, size).some(pixels => !(pixels >= 11))) throw new Error('a text below 11 px')
      if (
        /<script|<image|<foreignObject|<style|\son\w+=|url\((?!#)|NaN|undefined/i.test(svg.replace(/>[^<]*</g, '><')) ||
        [...svg.matchAll(/href="([^"]*)"/g)].some(([, target = '']) => !target.startsWith('#'))
      )
        throw new Error('something from outside, or no number')
    }),
    { numRuns: 300 }
  )
})

t.test('a face of what the catalogue holds is drawn without letters that run out of it', async t => {
  for (const name of [
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
    'ロロノア・ゾロ'.repeat(6),
    'W'.repeat(60)
  ])
    for (const size of sizes) {
      const svg = drawFace(facts({ name, card_number: name }), size, drawn)
      const lengths = [...svg.matchAll(/textLength="([^"]*)"/g)].map(([, length]) => Number(length))
      t.ok(
        lengths.every(length => length < faceSizes[size].width),
        `${size}: ${name}`
      )
    }
})

t.test('printings of a number are told apart at the size of a thumb, and it says which set it is of', async t => {
  const thumb = (given: Partial<FaceFacts>): string => drawFace(facts(given), 'thumb', drawn)
  // The hash of a document differs as well, so that even without it the variants are told apart.
  const variants = ['', 'p1', 'p2', 'p3', 'p4', 'p5', 'r1', 'r2', 'First', 'First-Rainbow']
  t.equal(new Set(variants.map(variant => thumb({ variant }))).size, variants.length)
  const pattern = (variant: string): string => /<pattern.*?<\/pattern>/.exec(thumb({ variant }))?.[0] ?? ''
  t.equal(pattern(''), '')
  t.equal(new Set(['p1', 'p2', 'p3', 'p4', 'p5', 'r1', 'r2'].map(pattern)).size, 7)
  t.same(elementTexts(thumb({ variant: 'p2' }), 'text'), ['5', 'P2'])
  t.not(thumb({ set_code: 'OP02' }), thumb({}))
  const rarities = ['C', 'UC', 'R', 'SR', 'SEC', 'L']
  const untitled = (svg: string): string => svg.replace(/<title>.*?<\/title>/, '')
  t.equal(new Set(rarities.map(rarity => untitled(thumb({ rarity })))).size, rarities.length)
  // Nobody says how rare a rarity is in a game without an order, so no edge does.
  const unordered = rarities.map(rarity => untitled(thumb({ game: 'new', rarity })))
  t.equal(new Set(unordered).size, 1)
})

t.test('the poster says what it is, and shows the facts as text', async t => {
  const texts = elementTexts(drawFace(facts({ variant: 'p1' }), 'poster', drawn), 'text')
  for (const shown of [
    'drawn from facts, not a card',
    'Roronoa Zoro',
    'OP01-001',
    'Romance Dawn',
    '5000',
    'power',
    'EN P1'
  ])
    t.ok(texts.includes(shown), shown)
})

t.test('every glyph that is declared is one, and every value that has an ink names one', async t => {
  for (const { glyphs = {}, sign } of attributes)
    for (const name of [...Object.values(glyphs), ...(sign === undefined ? [] : [sign])])
      t.ok(drawn.glyphs.has(name), name)
})
