import type { JsonObject } from 'pantry/data'
import { documentKinds, type DocumentKind } from './document-kinds.ts'
import { canonicalCode } from './set-code.ts'

const segment = encodeURIComponent

/**
 * The paths of the structural documents. Several games may use the same set code, so the path of a set names its game;
 * `code` is the path without a game.
 */
export const paths = {
  games: '/api/v1/universal/games',
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
