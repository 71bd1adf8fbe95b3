import { errorCodes, type ErrorCode } from '../vocabulary/error-codes.ts'
import type { ManifestOf } from './schema.ts'

/** The error code of a fixed failure: as written, or the only one that has its status. */
export function errorCodeOf ({ status, code }: Pick<ManifestOf<'status-only'>, 'status' | 'code'>): ErrorCode | undefined {
  if (code !== undefined || status < 400) return code
  const [only, ...others] = (Object.keys(errorCodes) as ErrorCode[]).filter(one => errorCodes[one].status === status)
  return others.length === 0 ? only : undefined
}
