import type { TSchema } from 'typebox'
import {
  Type,
  closed,
  nullable,
  NullableText,
  Text,
  Texts,
  type DataOf,
  type JsonObject,
  type JsonValue
} from 'pantry/data'
import type { Cardinality, PropertyKind } from './documents/parts.ts'
import { Rarity } from './rarities.ts'
import { canonicalCode } from './sku.ts'

/** The types of columns, with the names that PostgreSQL's `format_type` gives them. */
export const columnTypes = {
  word: { sql: 'text', isNullable: false },
  text: { sql: 'text', isNullable: true },
  texts: { sql: 'text[]', isNullable: true },
  count: { sql: 'integer', isNullable: true },
  members: { sql: 'json', isNullable: true },
  faces: { sql: 'jsonb', isNullable: true },
  labels: { sql: 'text[]', isNullable: false }
} as const

/** The most faces that a card can have. */
const maxFaces = 5

/** The schema of one face of a card that has several: `side` is what its source calls the face. */
export const Face = closed({
  side: NullableText,
  name: NullableText,
  attributes: nullable(Type.Record(Text, Type.Unknown()))
})

/** What sources say of one face of a card. */
export type Face = Readonly<{ side: string | null; name: string | null; attributes: JsonObject | null }>

/** The schema of the faces of a card. */
export const Faces = nullable(Type.Array(Face, { minItems: 2, maxItems: maxFaces }))

/** The TypeScript type of each column type. */
type Values = Readonly<{
  word: string
  text: string | null
  texts: readonly string[] | null
  count: number | null
  members: JsonObject | null
  faces: readonly Face[] | null
  labels: readonly string[]
}>
export const columnSchemas: Readonly<Record<keyof Values, TSchema>> = {
  word: Text,
  text: NullableText,
  texts: nullable(Texts),
  count: nullable(Type.Integer()),
  members: nullable(Type.Object({}, { additionalProperties: true })),
  faces: Faces,
  labels: Texts
}

/**
 * How the statements of several sources, in order of precedence, become one value. `leading`: the value of the first
 * statement; `first`: the first known value; `merged`: the first known value of each member; `named`: the first known
 * name, and of each language the name in that statement, or else the first one; `made`: computed, not stated by any
 * row.
 */
type MergeRule = 'leading' | 'first' | 'merged' | 'named' | 'made'

/** The member of a card's documents that shows a field. */
type Member = Readonly<{
  kind: PropertyKind
  cardinality: Cardinality
  meaning: string
  schema: TSchema
  /** Converts the value to its form in documents; by default the value itself. */
  show?: (value: JsonValue) => JsonValue
  /** The path that `_note_opaque` lists, if the value is or contains text that the encoding does not define. */
  opaque?: string
  /** Other kinds of document that have a member with this name and meaning. */
  also?: readonly string[]
}>

/**
 * One fact of a card. `mark`: a unique value, by which the place of the fact in a document is found; `example`: a
 * typical value.
 */
export type CardField = Readonly<{
  type: keyof Values
  merge: MergeRule
  member?: Member
  mark: JsonValue
  example: JsonValue
}>

/** What a printing can have come in, as sources say: a set of the game, another product, or a promotion. */
export const productKinds = ['set', 'product', 'promotion'] as const

/** The schema of the product that a printing came in. */
export const PrintedIn = nullable(
  closed({ kind: Type.Enum([...productKinds]), name: NullableText, code: NullableText })
)

/** Returns the product of a printing as documents show it: with its code in lowercase, as sets have theirs. */
export const printedInOf = (product: JsonObject | null | undefined): DataOf<typeof PrintedIn> =>
  product === null || product === undefined
    ? null
    : {
        code: typeof product['code'] === 'string' ? canonicalCode(product['code']) : null,
        kind: (product['kind'] ?? null) as (typeof productKinds)[number],
        name: (product['name'] ?? null) as string | null
      }

const Name = {
  natural_token: NullableText,
  resolved_lang: NullableText,
  resolved_from: Type.Enum(['preferred', 'preferred_alt', 'default', 'missing']),
  available_languages: Texts,
  fallback_chain: Type.Array(closed({ lang: Text, available: Type.Boolean() }))
}

/**
 * Every stored fact of a card, by column name. None is a price, an image, a shop identifier or a link. Writing,
 * merging, storing, showing, describing and checking cards all use this table; see `surfaces/README.md`.
 */
export const cardFields = {
  /** The canonical SKU, see `sku.ts`. */
  sku: {
    type: 'word',
    merge: 'made',
    mark: 'xqsku',
    example: 'op-op01-001-ja-p1',
    member: {
      kind: 'natural_token',
      cardinality: 'required',
      meaning: 'Identifier of the printing in this catalogue; null when a hash names no card.',
      schema: Text,
      also: ['federation_identify_response', 'federation_at_response', 'auction_state']
    }
  },
  game: {
    type: 'word',
    merge: 'leading',
    mark: 'xqgame',
    example: 'op',
    member: {
      kind: 'natural_token',
      cardinality: 'required',
      meaning: 'Token of the game, lowercase.',
      schema: Text,
      also: ['set', 'game', 'sets_collection']
    }
  },
  /** The set code as the upstream writes it. */
  set_code: {
    type: 'word',
    merge: 'leading',
    mark: 'XqSet',
    example: 'OP01',
    member: {
      kind: 'natural_token',
      cardinality: 'required',
      meaning: 'Code of the set, lowercase; `printed_code` is how the upstream writes it.',
      schema: Text,
      show: printed => canonicalCode(printed as string),
      also: ['set', 'set_choices']
    }
  },
  card_number: {
    type: 'word',
    merge: 'leading',
    mark: 'xqnumber',
    example: 'OP01-001',
    member: { kind: 'natural_token', cardinality: 'required', meaning: 'Number as printed on the card.', schema: Text }
  },
  lang: {
    type: 'word',
    merge: 'leading',
    mark: 'xqlang',
    example: 'ja',
    member: {
      kind: 'natural_token',
      cardinality: 'required',
      meaning: 'Language of the printing, a lowercase BCP 47 tag.',
      schema: Text
    }
  },
  /** Which printing of the number the card is; an empty string for the ordinary one. */
  variant: {
    type: 'word',
    merge: 'leading',
    mark: 'xqvariant',
    example: 'p1',
    member: {
      kind: 'decomposed_object',
      cardinality: 'nullable',
      meaning: 'Which printing of the number; null for the ordinary one.',
      schema: nullable(closed({ natural_label: Text, is_default: Type.Boolean() })),
      show: variant => (variant === '' ? null : { natural_label: variant, is_default: false }),
      opaque: 'variant.natural_label'
    }
  },
  /**
   * The name in one of the languages of `name_translations`. Documents show the result of `nameOf` in `languages.ts`.
   */
  name: {
    type: 'text',
    merge: 'named',
    mark: 'xqname',
    example: 'name',
    member: {
      kind: 'decomposed_object',
      cardinality: 'optional',
      meaning:
        'Name of the card, the language that name is in (an upstream may name a printing in another language than it is printed in; null when unknown), how it was chosen (preferred, preferred_alt, default or missing), the languages held, and those that were looked for.',
      schema: closed(Name),
      opaque: 'name'
    }
  },
  /** Names by language tag (lowercase BCP 47), including `name`. */
  name_translations: { type: 'members', merge: 'named', mark: { xqlang: 'xqname' }, example: { en: 'name' } },
  /** What documents show of the rarity is computed by `Rarities` when they are read. */
  rarity: {
    type: 'text',
    merge: 'first',
    mark: 'xqrarity',
    example: 'rarity',
    member: {
      kind: 'decomposed_object',
      cardinality: 'nullable',
      meaning:
        'Rarity as the publisher writes it, the share of such cards in boosters where rates are known, and its place where the rarities of the game have an order.',
      schema: nullable(Rarity),
      opaque: 'rarity.natural_label'
    }
  },
  illustrators: {
    type: 'texts',
    merge: 'first',
    mark: ['xqillustrator'],
    example: ['illustrator'],
    member: {
      kind: 'labels',
      cardinality: 'nullable',
      meaning: 'Names of the illustrators.',
      schema: nullable(Texts),
      opaque: 'illustrators'
    }
  },
  /** Structural attributes, see the corpus `attributes`. */
  attributes: {
    type: 'members',
    merge: 'merged',
    mark: { xqattribute: 'xqvalue' },
    example: { category: 'category' },
    member: {
      kind: 'decomposed_object',
      cardinality: 'nullable',
      meaning: 'Structural attributes as the upstream names them.',
      schema: nullable(Type.Record(Text, Type.Unknown())),
      opaque: 'attributes'
    }
  },
  /** The product that the printing came in, which need not be the set of its number; see `printedInOf`. */
  printed_in: {
    type: 'members',
    merge: 'first',
    mark: { code: 'xqcode', kind: 'xqkind', name: 'xqproduct' },
    example: { code: 'code', kind: 'product', name: 'product' },
    member: {
      kind: 'decomposed_object',
      cardinality: 'nullable',
      meaning:
        'The set, product or promotion that the printing came in, with its name and its code in lowercase; null where no source says it. `in_set` is the set of its number.',
      schema: PrintedIn,
      show: product => printedInOf(product as JsonObject | null),
      opaque: 'printed_in.name'
    }
  },
  /** What a source says of each face of a card with several, beside the facts of the whole card; null for others. */
  faces: {
    type: 'faces',
    merge: 'first',
    mark: [
      { attributes: { xqof: 'xqfacevalue' }, name: 'xqfront', side: 'xqside' },
      { attributes: null, name: 'xqback', side: null }
    ],
    example: [
      { attributes: { category: 'category' }, name: 'name', side: 'front' },
      { attributes: null, name: 'name', side: 'back' }
    ],
    member: {
      kind: 'decomposed_object',
      cardinality: 'nullable',
      meaning:
        'The faces of a card that has several, the first one first: what the source calls each, its name and its attributes, as far as a source says them; null where no source says that there are several.',
      schema: Faces,
      opaque: 'faces'
    }
  },
  /** The ids of the sources that observed the card, sorted. */
  sources: { type: 'labels', merge: 'made', mark: ['xqsource'], example: ['source'] }
} as const satisfies Readonly<Record<string, CardField>>

export type CardFieldName = keyof typeof cardFields
type Table = typeof cardFields

/** The names of the fields with a given merge rule. */
export type FieldMergedBy<Rule extends MergeRule> = {
  [K in CardFieldName]: Table[K]['merge'] extends Rule ? K : never
}[CardFieldName]

/** The stored facts of one printing of a card. */
export type CardFacts = { readonly [K in CardFieldName]: Values[Table[K]['type']] }

export const cardFieldNames = Object.keys(cardFields) as CardFieldName[]
/** Returns the fields with the given merge rules, in the order of the table. */
export const fieldsMergedBy = <Rule extends MergeRule>(...rules: readonly Rule[]): readonly FieldMergedBy<Rule>[] =>
  cardFieldNames.filter((name): name is FieldMergedBy<Rule> =>
    (rules as readonly MergeRule[]).includes(cardFields[name].merge)
  )

/** The fields that a row of an upstream states: all except computed ones. */
export const statedFields = fieldsMergedBy('leading', 'named', 'merged', 'first')

/** Returns a card that consists of the marks, or of the examples, of `cardFields`. */
export function sampleCard(of: 'mark' | 'example'): CardFacts {
  const sample: Record<string, unknown> = {}
  for (const name of cardFieldNames) sample[name] = cardFields[name][of]
  return sample as CardFacts
}

/**
 * The fields that documents show, each with its member and whether it identifies the card (merge rule `leading` or
 * `made`).
 */
export const shownFields: readonly (readonly [name: CardFieldName, member: Member, isIdentity: boolean])[] =
  cardFieldNames.flatMap(name => {
    const { member, merge }: CardField = cardFields[name]
    return member === undefined ? [] : [[name, member, merge === 'leading' || merge === 'made'] as const]
  })

/** The schema of a card's name with all translations, in the saturated document. */
export const SaturatedName = closed({
  ...Name,
  translations: Type.Optional(nullable(Type.Record(Text, Type.Unknown())))
})
