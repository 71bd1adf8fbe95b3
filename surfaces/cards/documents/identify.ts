import {
  closed,
  Count,
  Day,
  Hash,
  invalid,
  mirrorDocument,
  mirrorSchema,
  nullable,
  NullableText,
  Text,
  Type,
  type JsonObject,
  type PathTo
} from 'pantry/data'
import type { HeldCard } from '../card-history.ts'
import type { Resolved } from '../catalogue.ts'
import { hashContract } from './card.ts'
import { edge, fromSources, linksOf, paths, rights, seedOf } from './parts.ts'
import { Canonical, dated, HashContract, Path, structure } from './schemas.ts'

const PastHashes = { ...HashContract, legacy_price_dependent_hashes_supported: Type.Boolean() }

const identified = {
  ...structure,
  matched: Type.Boolean(),
  resolved: nullable(
    closed({
      edge_kind: Text,
      kind: Type.Enum(['card', 'set', 'game']),
      game: Text,
      target_natural_token: Text,
      target_hash: Hash,
      _links: Canonical
    })
  ),
  scope: closed({ description: Text, resolves: Type.Array(Text), rows_examined: Count, limit: Count }),
  sku: NullableText,
  suggestion: NullableText,
  superseded_by: nullable(closed({ sku: Text, content_hash: Hash, universal_url: Path })),
  universal_url: nullable(Path)
}

export const IdentifySchema = mirrorSchema('federation_identify_response', {
  ...identified,
  hash_contract: closed(PastHashes),
  query: closed({ hash: Hash })
})

/** The schema of the response of `IdentifySchema` when it is requested under a date. */
export const IdentifyAtSchema = mirrorSchema('federation_at_response', {
  ...identified,
  ...dated,
  current_url: nullable(Path),
  hash_contract: closed({ ...PastHashes, requested_date_affects_hash: Type.Literal(false) }),
  query: closed({ hash: Hash, date: Day })
})

/**
 * The published upper bound of the rows that one request may examine; with the index a request examines at most one.
 */
export const rowLimit = 5000
const form = /^(?:sha256:)?([0-9a-f]{64})$/

/** Returns the 64 digits of a requested hash in lower case. Throws for any other text. */
export function requestedHash(text: string): string {
  const hash = form.exec(text.toLowerCase())?.[1]
  if (hash === undefined) throw invalid('hash', 'Write `hash` as 64 hexadecimal digits, bare or after `sha256:`.')
  return hash
}

export const pathOf = ({ kind, game, token }: Resolved): string => {
  switch (kind) {
    case 'card':
      return paths.card(token)
    case 'set':
      return paths.set(game, token)
    case 'game':
      return paths.game(token)
  }
}

/**
 * Returns what a content hash names, or that no current document has it. `present`: the existing card that formerly had
 * the hash, or the successor of that card.
 */
export function identifyBody(
  hash: string,
  resolved: Resolved | undefined,
  present: HeldCard | undefined,
  pathTo: PathTo
): JsonObject {
  const path = resolved === undefined ? null : pathOf(resolved)
  return {
    _links: linksOf({
      kind: 'federation_identify_response',
      connections: path === null ? [paths.games] : [path],
      canonical: paths.identify(hash),
      pattern: pathTo.pattern('federation/identify')
    }),
    _note_opaque: ['scope.description', 'suggestion'],
    hash_contract: { ...hashContract, legacy_price_dependent_hashes_supported: false },
    matched: resolved !== undefined,
    query: { hash },
    resolved:
      resolved === undefined || path === null
        ? null
        : { ...edge('identifies', resolved.token, hash, path), game: resolved.game, kind: resolved.kind },
    rights,
    scope: {
      description:
        'Current content hashes of cards, sets and games, found through an index. Hashes of the retired price-dependent scheme do not resolve.',
      resolves: ['card', 'set', 'game'],
      rows_examined: resolved === undefined ? 0 : 1,
      limit: rowLimit
    },
    sku: resolved?.kind === 'card' ? resolved.token : null,
    superseded_by:
      present === undefined
        ? null
        : { sku: present.sku, content_hash: present.content_hash, universal_url: paths.card(present.sku) },
    suggestion:
      resolved === undefined
        ? 'Compare the hash with `@content_hash` of a current document. `@self_hash` changes with every answer and never resolves; the hash of a set or a game changes when cards are added.'
        : null,
    universal_url: path
  }
}

/** Returns the document of what was found, with the sources of that; of nothing, it is from the service itself. */
export const identifyReply = (
  kind: 'federation_identify_response' | 'federation_at_response',
  body: JsonObject,
  found: Resolved | undefined,
  encoding: string
) => ({
  mirror: mirrorDocument({ encoding, kind, seed: seedOf(kind, body), body, ...fromSources(found?.sources ?? ['self']) })
})
