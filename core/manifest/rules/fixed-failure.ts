import { report } from '../../source/report.ts'
import { errorCodes, type ErrorCode } from '../../vocabulary/error-codes.ts'
import { errorCodeOf } from '../error-code-of.ts'
import type { ManifestRule } from './rule.ts'

const codesOf = (status: number): ErrorCode[] => (Object.keys(errorCodes) as ErrorCode[]).filter(code => errorCodes[code].status === status)
const listed = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ')

/** M307, M308, M310: the error of a fixed status is complete and belongs to the status. */
export const fixedFailure: ManifestRule = ({ source, manifest }) => {
  if (manifest.kind !== 'status-only') return []
  const { status, code, message, details, retry_after: retryAfter } = manifest
  const retry = retryAfter === undefined || status === 503 || status === 429 ? [] : [
    report(source, 'M310', ['retry_after'], `A ${status} is not retried.`, { on: 'key', hint: '`retry_after` goes with 429 and 503.' })
  ]
  if (status < 400) {
    const useless = code !== undefined ? 'code' : message !== undefined ? 'message' : details !== undefined ? 'details' : undefined
    return useless === undefined ? retry : [...retry, report(source, 'M307', [useless], `A ${status} is not a failure, so it has no \`${useless}\`.`, { on: 'key', hint: 'Put it into `document`.' })]
  }
  if (code !== undefined && errorCodes[code].status !== status) {
    const fitting = codesOf(status)
    return [...retry, report(source, 'M308', ['code'], `\`${code}\` has the status ${errorCodes[code].status}, not ${status}.`, { hint: fitting.length === 0 ? 'No code has this status.' : `Codes of ${status}: ${listed(fitting)}.` })]
  }
  const missing = errorCodeOf(manifest) === undefined ? 'code' : message === undefined ? 'message' : undefined
  if (missing === undefined) return retry
  const hint = missing === 'message' ? 'Add `message:` with a sentence for the caller.' : codesOf(status).length === 0 ? 'Use a status that has a code.' : `Add \`code:\`, one of ${listed(codesOf(status))}.`
  return [...retry, report(source, 'M307', ['status'], `A ${status} needs a \`${missing}\`.`, { hint })]
}
