import type { TSchema } from 'typebox'
import { Type, Moment, nullable, NullableText, Text } from 'pantry/data'
import { statementContract } from './contract.ts'

const { schema, canonicalization, kinds, roles, limits, witness } = statementContract

const No = Type.Literal(false)
const Yes = Type.Literal(true)
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/**
 * Returns the schema of a member whose value the code checks, so that a response can list every mistake with a code and
 * path of the statement contract. `usual` documents the expected type.
 */
const member = (description: string, usual: TSchema = Type.String()) =>
  Type.Optional(
    Type.Union([usual, Type.Unknown({ description: 'Any other value is read as well, and judged in words.' })], {
      description
    })
  )
const Urls = Type.Array(Type.String())

/** The schema of a statement in a request. */
export const StatementBody = Type.Object({
  schema: member(`Required: \`${schema}\`.`),
  canonicalization: member(`Required: \`${canonicalization}\`.`),
  relation_key: member(`Required. The key of the relation, 1 to ${limits.relationKey} characters.`),
  target_revision: member(
    `Required. The revision of the relation that the statement is about, 1 to ${limits.targetRevision} characters.`
  ),
  kind: member(`Required: ${kinds.join(', ')}.`),
  body: member(`Required. What is said, 1 to ${limits.body} characters; it may have line feeds.`),
  language: member(`Language tag of the body, at most ${limits.language} characters; \`und\` when it is left out.`),
  declared_by: member(
    `Required: an object of \`label\` (1 to ${limits.label} characters), \`claimed_role\` (${roles.join(', ')}) and, if wanted, \`canonical_url\` (https).`,
    Type.Object({
      label: Type.String(),
      claimed_role: Type.String({ enum: [...roles] }),
      canonical_url: Type.Optional(Type.String())
    })
  ),
  declared_at: member('Required. A moment by RFC 3339 with an explicit zone.'),
  in_response_to: member('SHA-256 of the statement that this one answers; null when it answers none.'),
  evidence_urls: member(`At most ${limits.urls} https URLs.`, Urls),
  authority_evidence_urls: member(`At most ${limits.urls} https URLs.`, Urls)
})

const ShownStatement = Type.Object({
  schema: Type.Literal(schema),
  canonicalization: Type.Literal(canonicalization),
  relation_key: Text,
  target_revision: Text,
  kind: Type.Enum([...kinds]),
  body: Text,
  language: Text,
  declared_by: Type.Object({ label: Text, claimed_role: Type.Enum([...roles]), canonical_url: NullableText }),
  declared_at: Moment,
  in_response_to: NullableText,
  evidence_urls: Type.Array(Text),
  authority_evidence_urls: Type.Array(Text)
})

/** The schema of the receipt of a statement. */
export const StatementReceipt = Type.Object({
  schema: Type.Literal(witness),
  statement_schema: Type.Literal(schema),
  canonicalization: Type.Literal(canonicalization),
  content_hash: Hash,
  witnessed_at: Moment,
  replay_detection: No,
  uniqueness_not_asserted: Yes,
  issuer_attestation: Type.Object({
    signed: No,
    independently_verifiable: No,
    witnessed_at_is_unattested_observation: Yes
  }),
  statement: ShownStatement,
  validation_warnings: Type.Array(
    Type.Object({ path: Text, code: Type.Enum(['evidence_missing', 'authority_is_self_declared']), message: Text })
  ),
  target: Type.Object({
    relation_key: Text,
    target_revision: Text,
    status: Type.Enum(['known-current', 'not-current']),
    current_revision: nullable(Hash),
    evaluated_against: Text
  }),
  witness: Type.Object({
    system: Text,
    endpoint: Text,
    authenticated: No,
    identity_verified: No,
    persisted: No,
    authoritative_effect: Type.Literal('none')
  }),
  storage_boundary: Type.Object({
    application_record_created: No,
    retrievable_statement_created: No,
    infrastructure_access_logs_may_exist: Yes
  }),
  authority_boundary: Type.Object({
    declared_role_is_self_asserted: Yes,
    evidence_was_verified: No,
    correction_effect: Type.Literal('proposal-only'),
    withdrawal_effect: Type.Literal('none-without-separate-authority-verification')
  })
})
