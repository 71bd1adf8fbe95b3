import { createHmac, randomBytes } from 'node:crypto'

/** Names a caller by a salted hash of its address: 16 hex digits. */
type CallerHash = (address: string | undefined, day: string) => string

/**
 * The salt is 32 random bytes that never leave memory and change with the UTC day (`YYYY-MM-DD`): hashes of two days cannot be
 * joined, and no list of addresses can be tried against them afterwards.
 */
export function createCallerHash (): CallerHash {
  let salt = randomBytes(32)
  let saltDay = ''
  return (address, day) => {
    if (day !== saltDay) {
      salt = randomBytes(32)
      saltDay = day
    }
    return createHmac('sha256', salt).update(address ?? '').digest('hex').slice(0, 16)
  }
}
