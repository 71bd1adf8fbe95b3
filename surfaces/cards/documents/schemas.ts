import type { TSchema } from 'typebox'
import { Type, closed, Count, Day, Hash, mirrorSchema, MirrorTime, nullable, NullableText, Text } from 'pantry/data'
import { SaturatedName, shownFields } from '../card-fields.ts'
import { Ratio } from '../numbers.ts'
import { maxListedPrintings } from '../rows.ts'

export const Path = Type.String({ pattern: '^/', description: 'A path of this service.' })
export const NullDate = nullable(Day)
export const Canonical = closed({ canonical: Path })

const Links = closed({
  canonical: Path,
  parent: nullable(Path),
  siblings: nullable(Path),
  'sibling-collection': nullable(Path),
  children: nullable(Path),
  methodology: Path,
  connections: Type.Array(Path),
  manifest: Path,
  openapi: Path,
  encoding: Path,
  kind_definition: Path,
  federation: nullable(Path),
  temporal: nullable(Path)
})

const Rights = closed({ aggregate: Text, structure: Text, field_level_lineage_available: Type.Boolean() })
const Edge = closed(
  { edge_kind: Text, target_natural_token: Text, target_hash: Hash, _links: Canonical },
  { title: 'Edge' }
)
const NakedEdge = closed({ target_hash: Hash })
const CollectionEdge = closed(
  { edge_kind: Text, target_natural_token: Type.Optional(Text), _links: Canonical },
  { title: 'CollectionEdge' }
)
const Boundary = Type.Record(Text, Text)
/** Members that every structural document has, except the sparse card and the encoding document. */
export const structure = { _links: Links, _note_opaque: Type.Array(Text), rights: Rights }

/** Members of `@content_hash_contract`, which describes how the content hash is computed. */
export const HashContract = { basis: Type.Array(Text), capture_date_input: Type.Null(), price_input: Type.Null() }
/** Sorts members by name, which is their order in the documents. */
const sorted = (members: Record<string, TSchema>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The members that show facts of a card; the sparse density has only those of its identity. */
const normalMembers = Object.fromEntries(shownFields.map(([name, { schema }]) => [name, schema]))
const anyMembers = Object.fromEntries(
  shownFields.map(([name, { schema }, isIdentity]) => [name, isIdentity ? schema : Type.Optional(schema)])
)

/** The schema of a card at any density; members that only `normal` and `saturated` have are optional. */
export const CardSchema = mirrorSchema(
  'card',
  sorted({
    ...anyMembers,
    '@content_hash_contract': closed(HashContract),
    '@density': Type.Enum(['sparse', 'normal', 'saturated']),
    _links: Type.Optional(Links),
    _note_opaque: Type.Array(Text),
    image_url: Type.Optional(Type.Null()),
    in_set: Type.Union([Edge, NakedEdge]),
    name: Type.Optional(SaturatedName),
    neighbours: Type.Optional(
      closed({
        set: closed({
          target_natural_token: Text,
          target_hash: Hash,
          set_name: NullableText,
          total_cards: nullable(Count),
          imported_card_count: Count,
          released_at: NullDate,
          cover_image_url: Type.Null()
        }),
        game: closed({
          target_natural_token: Text,
          target_hash: Hash,
          set_count: Count,
          imported_card_count: Count,
          declared_card_count: nullable(Count)
        })
      })
    ),
    of_game: Type.Union([Edge, NakedEdge]),
    price: Type.Null(),
    printed_code: Type.Optional(Text),
    publication_boundary: Type.Optional(Boundary),
    rights: Type.Optional(Rights)
  })
)

const Completeness = closed({
  held_numbers: Count,
  declared_total: nullable(Count),
  total_counts: nullable(
    Type.Enum(['numbers', 'unknown'], {
      description:
        'What the declared total counts: `numbers` where so many are held or those that were seen span so many; else `unknown`, such as the copies in a deck, and there is no ratio. Null without a total.'
    })
  ),
  ratio: nullable(Ratio),
  decimal: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  basis: Type.String({ description: 'What the ratio rests on; or why there is none.' })
})

const SetItem = closed(
  {
    edge_kind: Text,
    game: Text,
    target_natural_token: Text,
    target_hash: Hash,
    set_code: Text,
    printed_code: Text,
    name: NullableText,
    set_name: NullableText,
    total_cards: nullable(Count),
    imported_card_count: Count,
    completeness: Completeness,
    released_at: NullDate,
    first_seen_at: MirrorTime,
    _links: Canonical
  },
  { title: 'SetItem' }
)

const CardEdge = closed(
  {
    edge_kind: Text,
    target_natural_token: Text,
    target_hash: Hash,
    card_number: Text,
    lang: Text,
    name: NullableText,
    variant: NullableText,
    rarity: NullableText,
    _links: Canonical
  },
  { title: 'CardEdge' }
)

export const SetSchema = mirrorSchema('set', {
  ...structure,
  game: Text,
  set_code: Text,
  printed_code: Text,
  name: NullableText,
  set_name: NullableText,
  total_cards: nullable(Count),
  imported_card_count: Count,
  released_at: NullDate,
  released_note: NullableText,
  cover_image_url: Type.Null(),
  first_seen_at: MirrorTime,
  of_game: Edge,
  publication_boundary: Boundary,
  sibling_collection: CollectionEdge,
  cards_returned: Count,
  completeness: Completeness,
  cards: Type.Array(CardEdge),
  printings_in: closed(
    {
      count: Count,
      printings_returned: Count,
      printings: Type.Array(Text, { maxItems: maxListedPrintings, description: 'Their SKUs.' })
    },
    {
      title: 'PrintingsIn',
      description: 'Printings that came in the set, as their sources say: of numbers of any set.'
    }
  )
})

export const SetsSchema = mirrorSchema('sets_collection', {
  ...structure,
  count: Count,
  game: Text,
  of_game: Edge,
  order: Text,
  sets: Type.Array(SetItem)
})

export const SetChoicesSchema = mirrorSchema('set_choices', {
  ...structure,
  choices: Type.Array(SetItem),
  count: Count,
  set_code: Text
})

export const GameSchema = mirrorSchema('game', {
  ...structure,
  game: Text,
  natural_token: Text,
  name: NullableText,
  set_count: Count,
  imported_card_count: Count,
  declared_card_count: nullable(Count),
  first_set_released_at: NullDate,
  latest_set_released_at: NullDate,
  first_seen_at: MirrorTime,
  last_updated_at: MirrorTime,
  recent_sets: Type.Array(SetItem),
  recent_sets_basis: Text,
  sets_collection: CollectionEdge,
  sibling_collection: CollectionEdge
})

export const GamesSchema = mirrorSchema('games_collection', {
  ...structure,
  count: Count,
  games: Type.Array(
    closed({
      edge_kind: Text,
      target_natural_token: Text,
      target_hash: Hash,
      name: NullableText,
      set_count: Count,
      card_count: Count,
      declared_card_count: nullable(Count),
      first_set_released_at: NullDate,
      latest_set_released_at: NullDate,
      first_seen_at: MirrorTime,
      _links: closed({ canonical: Path, sets_collection: Path, names: nullable(Path) })
    })
  )
})

/** The members of a dated document that describe its date. */
export const dated = {
  '@as_of': closed({
    iso8601_date: Day,
    unix_epoch_seconds: Type.Integer({ description: 'The last second of the date, in UTC.' })
  }),
  as_of_scope: closed({
    requested_date_only: Type.Literal(true),
    historical_price_reconstruction: Type.Literal(false),
    historical_structure_reconstruction: Type.Literal(false),
    structural_fields_source: Type.Literal('current_catalog')
  })
}

/** The schema of the normal document of a card, requested under a date. */
export const CardAtSchema = mirrorSchema('card_at_date', {
  ...structure,
  ...dated,
  '@content_hash_contract': closed({ ...HashContract, requested_date_affects_hash: Type.Literal(false) }),
  ...sorted({
    ...normalMembers,
    image_url: Type.Null(),
    in_set: Edge,
    of_game: Edge,
    price: Type.Null(),
    printed_code: Text,
    price_unavailable_at_date: closed({ reason: Text }),
    publication_boundary: Boundary
  })
})
