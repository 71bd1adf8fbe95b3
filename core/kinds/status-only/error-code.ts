import type { Context } from '../../manifest/kind.ts'
import type { StatusOnlyManifest } from './manifest.ts'

type Codes = Context['errors']

export const codesOf = (status: number, codes: Codes): string[] =>
  Object.keys(codes).filter(code => codes[code]?.status === status)

/** Returns the error code of a fixed error: the declared one, or the only code that has its status. */
export function errorCodeOf({ status, code }: StatusOnlyManifest, codes: Codes): string | undefined {
  if (code !== undefined || status < 400) return code
  const [only, ...others] = codesOf(status, codes)
  return others.length === 0 ? only : undefined
}
