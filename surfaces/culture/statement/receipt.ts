import { hashCanonical, type DataOf } from 'pantry/data'
import { statementContract, type NormalStatement } from './contract.ts'
import type { StatementReceipt } from './schemas.ts'
import { warningsOf } from './warnings.ts'

/** The limits of a witness of statements, the same in every receipt. */
const boundaries = {
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
} as const

/** Removes the optional prefix of a SHA-256. */
const bare = (revision: string): string => revision.replace(/^sha256:/, '')

/**
 * Returns the receipt of a statement. `current` is the current revision of the relation, `endpoint` the path to which
 * the statement was sent.
 */
export function statementReceipt(
  statement: NormalStatement,
  { current, endpoint, now }: Readonly<{ current: string | null; endpoint: string; now: Date }>
): DataOf<typeof StatementReceipt> {
  return {
    schema: statementContract.witness,
    statement_schema: statementContract.schema,
    canonicalization: statementContract.canonicalization,
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
      status: current === bare(statement.target_revision) ? 'known-current' : 'not-current',
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
    ...boundaries
  }
}
