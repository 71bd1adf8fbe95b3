import { Type, closed, Count, Day, Hash, mirrorSchema, nullable, NullableText, Text } from 'pantry/data'
import { Canonical, dated, HashContract, Path, structure } from '../catalogue/schemas.ts'

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

/** The schema of the same response, requested under a date. */
export const IdentifyAtSchema = mirrorSchema('federation_at_response', {
  ...identified,
  ...dated,
  current_url: nullable(Path),
  hash_contract: closed({ ...PastHashes, requested_date_affects_hash: Type.Literal(false) }),
  query: closed({ hash: Hash, date: Day })
})
