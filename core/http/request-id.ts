import { randomFillSync } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const pool = Buffer.alloc(16 * 512)
let at = pool.length

/** `req_` and 16 URL-safe characters, 96 random bits. Random bytes are drawn in blocks. */
export function requestId (): string {
  if (at === pool.length) {
    randomFillSync(pool)
    at = 0
  }
  let id = 'req_'
  for (const end = at + 16; at < end; at += 1) id += alphabet.charAt((pool[at] ?? 0) & 63)
  return id
}
