import type { JsonObject } from 'pantry/data'
import { documentKinds, type DocumentKind } from './document-kinds.ts'
import { canonicalCode } from './set-code.ts'

const segment = encodeURIComponent

/**
 * Paths of the structural surfaces. Set codes repeat between games, so a set's path names its game; `code` is the path
 * that does not.
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

/** What the service says of a card beside its document. */
export const aboutCard = (sku: string): readonly string[] => [paths.everything(sku), paths.evidence(sku)]

/** What was observed of a game, and what is to be asked about it. */
export const aboutGame = (game: string): readonly string[] => [
  `/api/v1/coverage?game=${segment(game)}`,
  `/api/v1/coverage/hunt?game=${segment(game)}`
]

type LinkTargets = Readonly<{
  kind: DocumentKind
  canonical: string
  /** Pattern of the canonical path, as OpenAPI names it. */
  pattern: string
  parent?: string
  /** The collection that holds this document beside others of its kind. */
  siblings?: string
  children?: string
  /** Content hash that the federation surface resolves. */
  contentHash?: string
  /** Where else the service speaks of the same thing. */
  connections: readonly string[]
  /** The same thing at a date, or now. */
  temporal?: string
}>

const kindNames = Object.keys(documentKinds)

/** `_links` of a structural document: every member always present, `null` where it has no target. */
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
