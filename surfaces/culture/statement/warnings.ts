import type { NormalStatement } from './contract.ts'

/** A warning for readers of a statement that is valid. */
type StatementWarning = Readonly<{
  path: string
  code: 'evidence_missing' | 'authority_is_self_declared'
  message: string
}>

export function warningsOf({
  kind,
  declared_by: author,
  evidence_urls: evidence,
  authority_evidence_urls: authority
}: NormalStatement): readonly StatementWarning[] {
  const warnings: StatementWarning[] = []
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
