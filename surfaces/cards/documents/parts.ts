/** What all structural documents share: recipes of content hashes, kinds, paths and links, rights, and dates. */
import { invalid, type JsonObject, type JsonValue } from 'pantry/data'
import { isCalendarDate } from '../../common/calendar.ts'
import { canonicalCode } from '../sku.ts'

/** Where a member of the hashed object comes from: a JSON pointer (RFC 6901) into the document, or a constant. */
export type RecipePart = Readonly<{ pointer: string; when_absent?: JsonValue } | { constant: JsonValue }>
type Recipe = Readonly<Record<string, RecipePart>>

const member = (name: string): RecipePart => ({ pointer: `/${name}` })

const card = {
  captured_on: { constant: null },
  card_number: member('card_number'),
  game: member('game'),
  magnitude_gbp: { constant: null },
  set_code: member('set_code'),
  sku: member('sku'),
  variant: { pointer: '/variant/natural_label', when_absent: '' }
} as const satisfies Recipe

/**
 * The object that `@content_hash` covers, by `@kind`. The service computes hashes from this table and publishes it in
 * the encoding document, so that clients can recompute them. `encoding_spec` has no entry because its hash covers its
 * whole body.
 */
export const recipes = {
  card,
  // The dated document of a card has the same hash as the card, because a date does not select a version.
  card_at_date: card,
  set: {
    game: member('game'),
    imported_card_count: member('imported_card_count'),
    released_at: member('released_at'),
    set_code: member('set_code'),
    total_cards: member('total_cards')
  },
  game: {
    declared_card_count: member('declared_card_count'),
    game: member('game'),
    imported_card_count: member('imported_card_count'),
    set_count: member('set_count')
  },
  games_collection: { count: member('count'), games: member('games') },
  sets_collection: { count: member('count'), game: member('game'), sets: member('sets') },
  set_choices: { choices: member('choices'), count: member('count'), set_code: member('set_code') },
  federation_identify_response: { matched: member('matched'), query: member('query'), resolved: member('resolved') },
  federation_at_response: { matched: member('matched'), query: member('query'), resolved: member('resolved') },
  auction_state: {
    auction: member('auction'),
    auction_type: { pointer: '/auction_type/natural_token' },
    sku: member('sku')
  },
  user_trust_state: { username: { pointer: '/identity/username' }, trust: member('trust') },
  deck_legality_result: {
    deck_card_ids_sorted: { pointer: '/summary/deck_card_ids_sorted' },
    format: { pointer: '/summary/format' },
    leader_id: { pointer: '/summary/leader_id' },
    legal: member('legal'),
    violation_codes_sorted: { pointer: '/summary/violation_codes_sorted' }
  }
} as const satisfies Record<string, Recipe>

type HashedKind = keyof typeof recipes

/** Returns the value at a JSON pointer; `undefined` when a step is missing. `null` at the end is a value. */
function read(document: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document
  for (const name of pointer.split('/').slice(1)) {
    if (value === undefined || value === null || typeof value !== 'object') return undefined
    value = (value as JsonObject)[name]
  }
  return value
}

/**
 * Returns the object that the `@content_hash` of a document covers. Throws a TypeError when the document lacks a member
 * that its recipe names without `when_absent`.
 */
export function seedOf(kind: HashedKind, document: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries<RecipePart>(recipes[kind]).map(([name, part]) => {
      if ('constant' in part) return [name, part.constant]
      const found = read(document, part.pointer)
      const value = found === undefined ? part.when_absent : found
      if (value === undefined) {
        throw new TypeError(`A document of the kind \`${kind}\` needs \`${part.pointer}\` for its content hash.`)
      }
      return [name, value]
    })
  )
}

/** The possible values of `@kind` of a structural document. */
type DocumentKind = HashedKind | 'encoding_spec'

/** The meaning of each kind of structural document, in the order of the encoding document. */
export const documentKinds: Readonly<Record<DocumentKind, string>> = {
  card: 'One printing of a card.',
  card_at_date: 'One printing of a card, asked for under a date. The facts are those of today.',
  set: 'One set, with its cards.',
  game: 'One game, with up to five sets of a known day of release, the latest first.',
  games_collection: 'All games.',
  sets_collection: 'The sets of one game.',
  set_choices: 'The sets that an ambiguous code can mean.',
  federation_identify_response: 'What a content hash names.',
  federation_at_response: 'What a content hash names, asked for under a date. The answer is that of today.',
  auction_state: 'An auction between members, as ratios to its starting price, ordinals and times.',
  user_trust_state: 'How somebody who agreed to it traded, as ratios and ordinals.',
  deck_legality_result: 'What a check of a deck found.',
  encoding_spec: 'The encoding itself.'
}

/** The kinds of values, each with its meaning and `decodable_by`, which says what a client needs to read it. */
export const propertyKinds = {
  encoding_identifier: [
    'Names the encoding and its version.',
    'Any reader: the part after the last `/` is the version.'
  ],
  entity_kind: ['Names what the document describes.', 'Any reader, with the list `kinds` of this document.'],
  sha256_hex: [
    'SHA-256, 64 lowercase hexadecimal digits, over UTF-8 bytes.',
    'Any reader, with the section `hashing`.'
  ],
  paired_time: ['One moment twice: ISO 8601 in UTC with milliseconds, and whole Unix seconds.', 'Any reader.'],
  date: ['A calendar date, ISO 8601.', 'Any reader.'],
  count: ['A whole number, zero or more.', 'Any reader.'],
  truth: ['true or false.', 'Any reader.'],
  word: ['One word of a closed list.', 'Any reader, with the list given beside it.'],
  labels: ['A list of short words.', 'Any reader.'],
  path: ['A path of this service.', 'Any reader that can ask this service.'],
  links: ['Named paths to related documents; null where there is none.', 'Any reader that can ask this service.'],
  edge: [
    'A typed pointer to another structural document, by token, content hash and path.',
    'Any reader: follow the path and compare the hashes.'
  ],
  edges: ['A list of edges, each with a few facts about its target.', 'Any reader.'],
  natural_token: [
    'An identifier as its upstream or its publisher writes it.',
    'Compare for equality; its inner form is a convention of the game.'
  ],
  opaque_text: ['Words for people, in a natural language.', 'Readers of that language.'],
  decomposed_object: ['A value taken apart into named members.', 'Any reader, member by member.'],
  withheld: [
    'Always null, because the rights to publish the value are not known.',
    'Any reader: null is not a statement about the value.'
  ]
} as const satisfies Record<string, readonly [description: string, decodableBy: string]>

export type PropertyKind = keyof typeof propertyKinds
export type Cardinality = 'required' | 'nullable' | 'optional'

const segment = encodeURIComponent

/**
 * The paths of the structural documents and of other answers on a card. Several games may use the same set code, so the
 * path of a set names its game; `code` is the path without a game.
 */
export const paths = {
  games: '/api/v1/universal/games',
  gameNames: '/api/v1/games',
  game: (game: string) => `/api/v1/universal/game/${segment(game)}`,
  sets: (game: string) => `/api/v1/universal/sets/${segment(game)}`,
  code: (code: string) => `/api/v1/universal/set/${segment(canonicalCode(code))}`,
  set: (game: string, code: string) => `${paths.code(code)}?game=${segment(game)}`,
  card: (sku: string) => `/api/v1/universal/card/${segment(sku)}`,
  /** `date` is an ISO 8601 date. */
  cardAt: (date: string, sku: string) => `/api/at/${date}/card/${segment(sku)}`,
  everything: (sku: string) => `/api/v1/cards/${segment(sku)}/everything`,
  evidence: (sku: string) => `/api/v1/cards/${segment(sku)}/evidence`,
  encoding: '/api/v1/universal/encoding',
  identify: (hash: string) => `/api/v1/federation/identify/${hash}`,
  identifyAt: (date: string, hash: string) => `/api/v1/federation/at/${date}/${hash}`
}

/** Returns the paths of further documents on a card. */
export const aboutCard = (sku: string): readonly string[] => [paths.everything(sku), paths.evidence(sku)]

/** Returns the paths of the coverage of a game and of its open questions. */
export const aboutGame = (game: string): readonly string[] => [
  `/api/v1/coverage?game=${segment(game)}`,
  `/api/v1/coverage/hunt?game=${segment(game)}`
]

type LinkTargets = Readonly<{
  kind: DocumentKind
  canonical: string
  /** The pattern of the canonical path in the OpenAPI document. */
  pattern: string
  parent?: string
  /** The path of the collection that contains this document. */
  siblings?: string
  children?: string
  /** The content hash, which the federation endpoint resolves. */
  contentHash?: string
  /** Paths of related documents. */
  connections: readonly string[]
  /** The path of the same entity at a date, or of its current document. */
  temporal?: string
}>

const kindNames = Object.keys(documentKinds)

/** Returns `_links` of a structural document. Every member is always present; it is `null` where there is no target. */
export function linksOf(targets: LinkTargets): JsonObject {
  const pointer = targets.pattern
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D')
  return {
    canonical: targets.canonical,
    parent: targets.parent ?? null,
    siblings: targets.siblings ?? null,
    'sibling-collection': targets.siblings ?? null,
    children: targets.children ?? null,
    methodology: `${paths.encoding}#/hashing`,
    connections: targets.connections,
    manifest: '/api/v1/manifest',
    openapi: `/api/openapi.json#/paths/${pointer}`,
    encoding: paths.encoding,
    kind_definition: `${paths.encoding}#/kinds/${kindNames.indexOf(targets.kind)}`,
    federation: targets.contentHash === undefined ? null : paths.identify(targets.contentHash),
    temporal: targets.temporal ?? null
  }
}

/**
 * The member `rights` of structural documents, except the sparse card, which has none, and the encoding document: the
 * structure is our own and free, the values are not ours to license.
 */
export const rights: JsonObject = {
  aggregate: 'NOASSERTION',
  structure: 'CC0-1.0',
  field_level_lineage_available: false
}

/** The reason that answers give for a withheld value, which is null, or a withheld list, which is empty. */
export const withheld = 'withheld_pending_field_level_source_rights'

/** Returns a typed link to another structural document; `target_hash` is the `@content_hash` of that document. */
export const edge = (kind: string, token: string, targetHash: string, canonical: string): JsonObject => ({
  edge_kind: kind,
  target_natural_token: token,
  target_hash: targetHash,
  _links: { canonical }
})

/** Returns the labels for `@source_license`, one per source: the upstreams state nothing about rights in the values. */
export const licenseLabels = (sources: readonly string[]): string[] => sources.map(() => 'noassertion')

/** Returns the members that name the sources of a response and their licenses. */
export const fromSources = (sources: readonly string[]) => ({ sources, sourceLicense: licenseLabels(sources) })

/** Returns the members that name the sources of all that an answer shows: this service itself, where it is nothing. */
export const fromAllOf = (all: Iterable<Readonly<{ sources: readonly string[] }> | undefined>) => {
  const sources = new Set(Array.from(all).flatMap(one => one?.sources ?? []))
  return fromSources(sources.size === 0 ? ['self'] : [...sources].sort())
}

/**
 * Checks that the date in a path is a calendar date (ISO 8601, `YYYY-MM-DD`) and returns it. Throws for anything else,
 * such as 30 February.
 */
export function requestedDate(text: string): string {
  if (isCalendarDate(text)) return text
  throw invalid('date', `\`date\` is no calendar date: write it as YYYY-MM-DD, such as 2026-11-20.`)
}

/** Returns the members of a dated document that describe its date: it was requested, but does not select a version. */
export const datedMembers = (date: string): JsonObject => ({
  '@as_of': { iso8601_date: date, unix_epoch_seconds: Date.parse(`${date}T23:59:59Z`) / 1000 },
  as_of_scope: {
    requested_date_only: true,
    historical_price_reconstruction: false,
    historical_structure_reconstruction: false,
    structural_fields_source: 'current_catalog'
  }
})
