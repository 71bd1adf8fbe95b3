import { createHash, createHmac, randomBytes } from 'node:crypto'
import { networkOf } from './client-address.ts'

/** Names a caller by a salted hash of its address, or of the /64 that it is in: 16 hex digits. */
type CallerHash = (address: string | undefined, day: string) => string

/** The salt of a UTC day (`YYYY-MM-DD`): 32 bytes. */
export type CallerSalt = Readonly<{ day: string; bytes: Buffer }>

const dayMs = 86_400_000

/**
 * The salt of `day` from that of an earlier day: hashed once for each day between. Nobody can go back, so hashes of two
 * days cannot be joined. Processes that began with one salt have the same one on every day. A new one is random, and so
 * is that of a day before the one it is known for.
 */
export function saltOf(day: string, known?: CallerSalt): CallerSalt {
  const days = known === undefined ? -1 : (Date.parse(day) - Date.parse(known.day)) / dayMs
  if (known === undefined || days < 0) return { day, bytes: randomBytes(32) }
  let { bytes } = known
  for (let left = days; left > 0; left--) bytes = createHash('sha256').update(bytes).digest()
  return { day, bytes }
}

/** The salt never leaves memory, so no list of addresses can be tried against the hashes of a day that is over. */
export function createCallerHash(salt?: CallerSalt): CallerHash {
  let current = salt
  return (address, day) => {
    if (day !== current?.day) current = saltOf(day, current)
    return createHmac('sha256', current.bytes).update(networkOf(address)).digest('hex').slice(0, 16)
  }
}
