import { randomBytes } from 'node:crypto'

const length = 16
let pool = ''
let at = 0

/** Returns `req_` and 16 URL-safe characters: 96 random bits. Random bytes are generated for 512 ids at once. */
export function requestId(): string {
  if (at === pool.length) {
    pool = randomBytes(512 * 12).toString('base64url')
    at = 0
  }
  at += length
  return `req_${pool.slice(at - length, at)}`
}
