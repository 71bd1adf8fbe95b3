import { errorCodes, type ErrorCode } from '../../vocabulary/error-codes.ts'
import type { StatusOnlyManifest } from './manifest.ts'

export const codesOf = (status: number): ErrorCode[] => (Object.keys(errorCodes) as ErrorCode[]).filter(code => errorCodes[code].status === status)

/** The error code of a fixed failure: as written, or the only one that has its status. */
export function errorCodeOf ({ status, code }: StatusOnlyManifest): ErrorCode | undefined {
  if (code !== undefined || status < 400) return code
  const [only, ...others] = codesOf(status)
  return others.length === 0 ? only : undefined
}
