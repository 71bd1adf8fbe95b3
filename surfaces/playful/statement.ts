import { hashCanonical, Moment, nullable, NullableText, Text, Texts, Type, type DataOf } from 'pantry/data'
import { memberSchema } from './identify-values.ts'

/** Lengths are in Unicode scalar values after normalisation. */
export const statementContract = {
  schema: 'answering-rhyme.statement/1',
  canonicalization: 'answering-rhyme.canonical-json/1',
  witness: 'pantry-cards.answering-rhyme-statement-witness/1',
  kinds: ['bless', 'contextualize', 'correct', 'withdraw'],
  roles: ['viewer', 'relation-curator', 'card-rights-holder', 'artwork-rights-holder', 'source-institution', 'other'],
  limits: {
    requestBytes: 16_384,
    relationKey: 256,
    targetRevision: 100,
    body: 2000,
    language: 35,
    label: 160,
    url: 1000,
    urls: 12
  }
} as const

const { schema, canonicalization, kinds, roles, limits, witness } = statementContract

const No = Type.Literal(false)
const Yes = Type.Literal(true)
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const StatementBody = Type.Object({
  schema: memberSchema(`Required: \`${schema}\`.`),
  canonicalization: memberSchema(`Required: \`${canonicalization}\`.`),
  relation_key: memberSchema(`Required. The key of the relation, 1 to ${limits.relationKey} characters.`),
  target_revision: memberSchema(
    `Required. The revision of the relation that the statement is about, 1 to ${limits.targetRevision} characters.`
  ),
  kind: memberSchema(`Required: ${kinds.join(', ')}.`),
  body: memberSchema(`Required. What is said, 1 to ${limits.body} characters; it may have line feeds.`),
  language: memberSchema(
    `Language tag of the body, at most ${limits.language} characters; \`und\` when it is left out.`
  ),
  declared_by: memberSchema(
    `Required: an object of \`label\` (1 to ${limits.label} characters), \`claimed_role\` (${roles.join(', ')}) and, if wanted, \`canonical_url\` (https).`,
    Type.Object({ label: Text, claimed_role: Type.String({ enum: [...roles] }), canonical_url: Type.Optional(Text) })
  ),
  declared_at: memberSchema('Required. A moment by RFC 3339 with an explicit zone.'),
  in_response_to: memberSchema('SHA-256 of the statement that this one answers; null when it answers none.'),
  evidence_urls: memberSchema(`At most ${limits.urls} https URLs.`, Texts),
  authority_evidence_urls: memberSchema(`At most ${limits.urls} https URLs.`, Texts)
})

export const NormalStatement = Type.Object({
  schema: Type.Literal(schema),
  canonicalization: Type.Literal(canonicalization),
  relation_key: Text,
  target_revision: Text,
  kind: Type.Enum([...kinds]),
  body: Text,
  /** A BCP 47 tag in lower case; `und` when none was given. */
  language: Text,
  declared_by: Type.Object({ label: Text, claimed_role: Type.Enum([...roles]), canonical_url: NullableText }),
  /** In UTC with milliseconds. */
  declared_at: Moment,
  /** `sha256:` followed by 64 lowercase hex digits. */
  in_response_to: NullableText,
  /** Serialised URLs without duplicates, in the order of UTF-16 code units. */
  evidence_urls: Texts,
  authority_evidence_urls: Texts
})
/** A statement in its normal form: all members are present, and its hash covers its canonical JSON (RFC 8785). */
export type NormalStatement = DataOf<typeof NormalStatement>

const StatementWarning = Type.Object({
  path: Text,
  code: Type.Enum(['evidence_missing', 'authority_is_self_declared']),
  message: Text
})

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
  statement: NormalStatement,
  validation_warnings: Type.Array(StatementWarning),
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

function warningsOf({
  kind,
  declared_by: author,
  evidence_urls: evidence,
  authority_evidence_urls: authority
}: NormalStatement): readonly DataOf<typeof StatementWarning>[] {
  const warnings: DataOf<typeof StatementWarning>[] = []
  if (author.claimed_role !== 'viewer' && author.claimed_role !== 'other') {
    warnings.push({
      path: 'declared_by.claimed_role',
      code: 'authority_is_self_declared',
      message: 'The role is what the statement says of its author. Nobody checked it.'
    })
  }
  if (kind === 'correct' && evidence.length === 0) {
    warnings.push({
      path: 'evidence_urls',
      code: 'evidence_missing',
      message: 'A correction without evidence leaves a curator nothing to look at.'
    })
  }
  if (kind === 'withdraw' && authority.length === 0) {
    warnings.push({
      path: 'authority_evidence_urls',
      code: 'evidence_missing',
      message: 'A withdrawal names nothing that shows the authority to withdraw.'
    })
  }
  return warnings
}

/**
 * Returns the receipt of a statement. `current` is the current revision of the relation, null if it is unknown;
 * `endpoint` the path to which the statement was sent.
 */
export function statementReceipt(
  statement: NormalStatement,
  { current, endpoint, now }: Readonly<{ current: string | null; endpoint: string; now: Date }>
): DataOf<typeof StatementReceipt> {
  return {
    schema: witness,
    statement_schema: schema,
    canonicalization,
    content_hash: hashCanonical(statement),
    witnessed_at: now.toISOString(),
    replay_detection: false,
    uniqueness_not_asserted: true,
    issuer_attestation: {
      signed: false,
      independently_verifiable: false,
      witnessed_at_is_unattested_observation: true
    },
    statement,
    validation_warnings: warningsOf(statement),
    target: {
      relation_key: statement.relation_key,
      target_revision: statement.target_revision,
      status: current === statement.target_revision.replace(/^sha256:/, '') ? 'known-current' : 'not-current',
      current_revision: current,
      evaluated_against: 'pantry-cards-static-corpus'
    },
    witness: {
      system: 'pantry-cards',
      endpoint,
      authenticated: false,
      identity_verified: false,
      persisted: false,
      authoritative_effect: 'none'
    },
    storage_boundary: {
      application_record_created: false,
      retrievable_statement_created: false,
      infrastructure_access_logs_may_exist: true
    },
    authority_boundary: {
      declared_role_is_self_asserted: true,
      evidence_was_verified: false,
      correction_effect: 'proposal-only',
      withdrawal_effect: 'none-without-separate-authority-verification'
    }
  }
}
