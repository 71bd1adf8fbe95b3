import Type from 'typebox'
import { hashCanonical, NullableText, reply, SurfaceError, Text, type JsonObject } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { statementContract } from '../../culture/statement/contract.ts'
import { normaliseStatement } from '../../culture/statement/normalise.ts'
import { warningsOf } from '../../culture/statement/warnings.ts'

const { schema, canonicalization, kinds, roles, limits, witness } = statementContract

const No = Type.Literal(false)
const Yes = Type.Literal(true)
const Moment = Type.String({ format: 'date-time' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A member whose value the code checks, so that a refusal lists every mistake with a code and a path of the statement contract. */
const member = (description: string) => Type.Optional(Type.Unknown({ description }))

const Statement = Type.Object({
  schema: member(`Required: \`${schema}\`.`),
  canonicalization: member(`Required: \`${canonicalization}\`.`),
  relation_key: member(`Required. The key of the relation, 1 to ${limits.relationKey} characters.`),
  target_revision: member(`Required. The revision of the relation that the statement is about, 1 to ${limits.targetRevision} characters.`),
  kind: member(`Required: ${kinds.join(', ')}.`),
  body: member(`Required. What is said, 1 to ${limits.body} characters; line feeds may stand in it.`),
  language: member(`Language tag of the body, at most ${limits.language} characters; \`und\` when it is left out.`),
  declared_by: member(`Required: an object of \`label\` (1 to ${limits.label} characters), \`claimed_role\` (${roles.join(', ')}) and, if wanted, \`canonical_url\` (https).`),
  declared_at: member('Required. A moment by RFC 3339 with an explicit zone.'),
  in_response_to: member('SHA-256 of the statement that this one answers; null when it answers none.'),
  evidence_urls: member(`At most ${limits.urls} https URLs.`),
  authority_evidence_urls: member(`At most ${limits.urls} https URLs.`)
})

const NormalStatement = Type.Object({
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

const mostIssues = 100

/** What a witness of statements is, and is not: the same in every receipt. */
const boundaries = {
  storage_boundary: { application_record_created: false, retrievable_statement_created: false, infrastructure_access_logs_may_exist: true },
  authority_boundary: {
    declared_role_is_self_asserted: true, evidence_was_verified: false, correction_effect: 'proposal-only', withdrawal_effect: 'none-without-separate-authority-verification'
  }
} as const

/** Both ways to write a SHA-256. */
const bare = (revision: string): string => revision.replace(/^sha256:/, '')

/** A statement on a relation: checked, normalised, hashed, and given back with a receipt. */
export default defineHandler({
  body: { schema: Statement, limitBytes: limits.requestBytes },
  reply: Type.Object({
    '@kind': Type.Literal('answering-rhyme-reciprocity-statement-witness'),
    receipt: Type.Object({
      schema: Type.Literal(witness),
      statement_schema: Type.Literal(schema),
      canonicalization: Type.Literal(canonicalization),
      content_hash: Hash,
      witnessed_at: Moment,
      replay_detection: No,
      uniqueness_not_asserted: Yes,
      issuer_attestation: Type.Object({ signed: No, independently_verifiable: No, witnessed_at_is_unattested_observation: Yes }),
      statement: NormalStatement,
      validation_warnings: Type.Array(Type.Object({ path: Text, code: Type.Enum(['evidence_missing', 'authority_is_self_declared']), message: Text })),
      target: Type.Object({
        relation_key: Text, target_revision: Text, status: Type.Enum(['known-current', 'not-current']), current_revision: Type.Union([Hash, Type.Null()]), evaluated_against: Text
      }),
      witness: Type.Object({ system: Text, endpoint: Text, authenticated: No, identity_verified: No, persisted: No, authoritative_effect: Type.Literal('none') }),
      storage_boundary: Type.Object({ application_record_created: No, retrievable_statement_created: No, infrastructure_access_logs_may_exist: Yes }),
      authority_boundary: Type.Object({
        declared_role_is_self_asserted: Yes, evidence_was_verified: No, correction_effect: Type.Literal('proposal-only'), withdrawal_effect: Type.Literal('none-without-separate-authority-verification')
      })
    }),
    next_steps: Type.Object({ keep_receipt: Text, correction: Text, withdrawal: Text }),
    walking_past_is_honored: Yes
  }),
  handle ({ body, path, now }, { relationRevisions }) {
    const normalised = normaliseStatement(body as JsonObject)
    if (!normalised.ok) {
      const { issues } = normalised
      throw new SurfaceError('INVALID_INPUT', `The statement cannot be taken: ${issues[0]?.message ?? ''}`, {
        details: { in: 'body', field: issues[0]?.path ?? '', statement_schema: schema, issue_count: issues.length, issues: issues.slice(0, mostIssues) }
      })
    }
    const { statement } = normalised
    const current = relationRevisions.get(statement.relation_key) ?? null
    return reply({
      '@kind': 'answering-rhyme-reciprocity-statement-witness',
      receipt: {
        schema: witness,
        statement_schema: schema,
        canonicalization,
        content_hash: hashCanonical(statement),
        witnessed_at: now.toISOString(),
        replay_detection: false,
        uniqueness_not_asserted: true,
        issuer_attestation: { signed: false, independently_verifiable: false, witnessed_at_is_unattested_observation: true },
        statement,
        validation_warnings: warningsOf(statement),
        target: {
          relation_key: statement.relation_key,
          target_revision: statement.target_revision,
          status: current === bare(statement.target_revision) ? 'known-current' : 'not-current',
          current_revision: current,
          evaluated_against: 'pantry-cards-static-corpus'
        },
        witness: { system: 'pantry-cards', endpoint: path, authenticated: false, identity_verified: false, persisted: false, authoritative_effect: 'none' },
        ...boundaries
      },
      next_steps: {
        keep_receipt: 'Keep this answer if you want to refer to it. It exists nowhere else.',
        correction: 'A correction is a proposal. A curator has to look at it before a relation changes; send it to the contact of the service.',
        withdrawal: 'A withdrawal changes nothing by itself. Nothing here can verify yet who may ask for it; the contact of the service can.'
      },
      walking_past_is_honored: true
    })
  }
})
