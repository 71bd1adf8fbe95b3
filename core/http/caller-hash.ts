import { createHash, createHmac, randomBytes } from 'node:crypto'
import { networkOf } from './client-address.ts'

/** Returns a salted hash of the caller's IPv4 address or IPv6 /64 network: 16 hex digits. */
type CallerHash = (address: string | undefined, day: string) => string

/** The salt of a UTC day (`YYYY-MM-DD`): 32 bytes. */
export type CallerSalt = Readonly<{ day: string; bytes: Buffer }>

const dayMs = 86_400_000

/**
 * Returns the salt of `day`, derived from an earlier day's salt by one SHA-256 for each day between. Hashing cannot be
 * reversed, so the hashes of two days cannot be linked. Processes that start with the same salt have the same one every
 * day. Without a known salt, or for a day before it, the salt is random.
 */
export function saltOf(day: string, known?: CallerSalt): CallerSalt {
  const days = known === undefined ? -1 : (Date.parse(day) - Date.parse(known.day)) / dayMs
  if (known === undefined || days < 0) return { day, bytes: randomBytes(32) }
  let { bytes } = known
  for (let left = days; left > 0; left--) bytes = createHash('sha256').update(bytes).digest()
  return { day, bytes }
}

/**
 * Creates the hash function of callers. The salt stays in memory, so nobody can test addresses against the hashes of a
 * past day.
 */
export function createCallerHash(salt?: CallerSalt): CallerHash {
  let current = salt
  return (address, day) => {
    if (day !== current?.day) current = saltOf(day, current)
    return createHmac('sha256', current.bytes).update(networkOf(address)).digest('hex').slice(0, 16)
  }
}
