import { errorCodes, type ErrorMeaning } from '../vocabulary/error-codes.ts'
import type { Service } from './service.ts'

/**
 * Returns every error code that an answer of the service may have, sorted by status and then name: those of the
 * framework and those that the service declares.
 */
export const errorCodesOf = ({ errors }: Pick<Service, 'errors'>): Readonly<Record<string, ErrorMeaning>> =>
  Object.fromEntries(
    Object.entries<ErrorMeaning>({ ...errors, ...errorCodes }).sort(
      ([a, one], [b, other]) => one.status - other.status || (a < b ? -1 : 1)
    )
  )
