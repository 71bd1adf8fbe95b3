/** What a face shows, found in the facts of a card. */
import { sha256Hex, Text, Type, type DataOf } from 'pantry/data'
import type { CardFacts } from '../cards/card-fields.ts'
import type { RarityScale } from '../cards/rarities.ts'
import { emblemPath, symbolPath } from './emblem.ts'
import { inks, isInk, spareInks, type Ink } from './inks.ts'

/** An entry of the corpus `glyphs`. */
export const Glyph = Type.Object({ name: Text, path: Text })

const Place = Type.Optional(Type.Integer({ minimum: 1 }))

/** An entry of the corpus `drawn-attributes`. */
export const DrawnAttribute = Type.Object({
  attribute: Text,
  field: Place,
  mark: Place,
  number: Place,
  sign: Type.Optional(Text),
  pips: Type.Optional(Type.Literal(true)),
  inks: Type.Optional(Type.Record(Text, Type.Enum(Object.keys(inks)))),
  glyphs: Type.Optional(Type.Record(Text, Text))
})
export type DrawnAttribute = DataOf<typeof DrawnAttribute>

/** The facts that a face is drawn from, with what its set is called and the hash of its document. */
export type FaceFacts = Readonly<
  Pick<CardFacts, 'game' | 'set_code' | 'card_number' | 'lang' | 'name' | 'rarity' | 'variant' | 'attributes'> & {
    set_name: string | null
    content_hash: string
  }
>

/** A glyph in a square of 24 units, and its word. */
type Mark = Readonly<{ path: string; word: string }>
type FaceNumber = Readonly<{ text: string; sign: string; word: string; pips: number }>

/**
 * How frequent a rarity is: 0 to 4 from the most frequent of the game to the rarest; `apart` for one without a place in
 * the order, `none` where no source states one.
 */
type Grade = 0 | 1 | 2 | 3 | 4 | 'apart' | 'none'

/** The pattern of the foil and its tint, each the place in its list; one printing of a number differs from another. */
export type Foil = Readonly<{ pattern: number; tint: number }>

export type FaceLook = Readonly<{
  facts: FaceFacts
  inks: readonly Ink[]
  marks: readonly Mark[]
  numbers: readonly FaceNumber[]
  grade: Grade
  /** None on the ordinary printing. */
  foil: Foil | undefined
  /** The variant in at most four letters; empty for the ordinary printing. */
  variant: string
  /** The path of the symbol of the set. */
  symbol: string
}>

/**
 * What faces are drawn with beside the facts of a card: the attributes that colour a field, that are marks and that are
 * numbers, each in their order.
 */
export type Drawn = Readonly<{
  fields: readonly DrawnAttribute[]
  marks: readonly DrawnAttribute[]
  numbers: readonly DrawnAttribute[]
  glyphs: ReadonlyMap<string, string>
  scaleOf: (game: string) => RarityScale | undefined
}>

const valuesOf = ({ attributes }: FaceFacts, name: string): readonly string[] =>
  [attributes?.[name] ?? null]
    .flat()
    .flatMap(value => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []))
    .filter(value => value.trim() !== '')

const among = <T>(list: readonly T[], seed: string): T | undefined =>
  list[Number.parseInt(sha256Hex(seed).slice(0, 8), 16) % list.length]

/** Returns the attributes that have a place of a kind, in its order. */
const byPlace = (attributes: readonly DrawnAttribute[], kind: 'field' | 'mark' | 'number'): readonly DrawnAttribute[] =>
  attributes.filter(one => one[kind] !== undefined).sort((a, b) => (a[kind] ?? 0) - (b[kind] ?? 0))

/** Returns what faces are drawn with, from the entries of the corpora. */
export const drawnOf = (
  attributes: readonly DrawnAttribute[],
  glyphs: readonly DataOf<typeof Glyph>[],
  scaleOf: Drawn['scaleOf']
): Drawn => ({
  fields: byPlace(attributes, 'field'),
  marks: byPlace(attributes, 'mark'),
  numbers: byPlace(attributes, 'number'),
  glyphs: new Map(glyphs.map(({ name, path }) => [name, path])),
  scaleOf
})

/** Returns the inks of the first attribute that colours a field: at most three. */
function inksOf(facts: FaceFacts, { fields }: Drawn): readonly Ink[] {
  const named = fields.map(({ attribute, inks: declared }) =>
    valuesOf(facts, attribute).map(value => {
      const word = value.toLowerCase()
      const name = declared?.[word] ?? (isInk(word) ? word : among(spareInks, `${facts.game} ${word}`))
      return name !== undefined && isInk(name) ? name : 'grey'
    })
  )
  const found = named.find(names => names.length > 0) ?? [among(spareInks, facts.game) ?? 'grey']
  return [...new Set(found)].slice(0, 3).map(name => inks[name])
}

const marksOf = (facts: FaceFacts, { marks, glyphs }: Drawn): readonly Mark[] =>
  marks.flatMap(({ attribute, glyphs: declared }) =>
    valuesOf(facts, attribute).map(word => {
      const name = declared?.[word.toLowerCase()] ?? ''
      return { word, path: glyphs.get(name) ?? emblemPath(`${facts.game} ${word.toLowerCase()}`) }
    })
  )

const mostPips = 12

const numbersOf = (facts: FaceFacts, { numbers, glyphs }: Drawn): readonly FaceNumber[] =>
  numbers.flatMap(({ attribute, sign = '', pips }) =>
    valuesOf(facts, attribute)
      .filter(text => text.length <= 6)
      .slice(0, 1)
      .map(text => ({
        text,
        sign: glyphs.get(sign) ?? emblemPath(attribute),
        word: attribute,
        pips: pips === true && Number(text) > 0 && Number(text) <= mostPips ? Number(text) : 0
      }))
  )

const grades: readonly Grade[] = [0, 1, 2, 3, 4]

/** Returns the grade of a rarity: `apart` where the game declares no order, because nobody says how rare it is. */
function gradeOf({ rarity }: FaceFacts, scale: RarityScale | undefined): Grade {
  if (rarity === null) return 'none'
  if (scale === undefined) return 'apart'
  const label = scale.names?.[rarity] ?? rarity
  const at = scale.tiers.findIndex(tier => tier.includes(label))
  return at < 0 ? 'apart' : (grades[Math.round((at / (scale.tiers.length - 1)) * 4)] ?? 0)
}

/** How many patterns and tints of foil there are. */
export const foils = { patterns: 10, tints: 5 }

function foilOf(variant: string): Foil | undefined {
  if (variant === '') return undefined
  const [, letter = '', digits] = /^([a-z])(\d{1,2})$/i.exec(variant) ?? []
  const seed =
    digits === undefined
      ? Number.parseInt(sha256Hex(variant.toLowerCase()).slice(0, 8), 16)
      : Number(digits) - 1 + (letter.toLowerCase() === 'p' ? 0 : 5)
  return { pattern: seed % foils.patterns, tint: seed % foils.tints }
}

/** Returns a variant in at most four letters: itself, or the first ones of its words. */
function shortVariant(variant: string): string {
  if (Array.from(variant).length <= 3) return variant.toUpperCase()
  const first = variant.split(/[^\p{L}\p{N}]+/u).map(word => Array.from(word)[0] ?? '')
  return first.join('').slice(0, 4).toUpperCase()
}

export const lookOf = (facts: FaceFacts, drawn: Drawn): FaceLook => ({
  facts,
  inks: inksOf(facts, drawn),
  marks: marksOf(facts, drawn),
  numbers: numbersOf(facts, drawn),
  grade: gradeOf(facts, drawn.scaleOf(facts.game)),
  foil: foilOf(facts.variant),
  variant: shortVariant(facts.variant),
  symbol: symbolPath(facts.game, facts.set_code)
})
