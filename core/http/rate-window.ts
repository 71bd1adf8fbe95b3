import { createHmac, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { RateState } from '../handler/errors.ts'
import { networkOf } from './client-address.ts'

/** The advised number of requests per window; a reload may change it for later windows. */
type RatePolicy = Readonly<{ limit: number; window_seconds: number }>

/**
 * Returns a function that counts the requests of a client in fixed windows for the advisory RateLimit headers; it
 * refuses no request. Counts are kept in memory under a hash with a random salt of the process, until the window ends.
 * The hash is computed once per connection, and behind a proxy again whenever `client` changes.
 */
export function createRateWindow(): (socket: Socket, nowMs: number, policy: RatePolicy, client?: string) => RateState {
  const salt = randomBytes(32)
  const keys = new WeakMap<Socket, Readonly<{ client: string | undefined; key: string }>>()
  let counts = new Map<string, number>()
  let windowEnds = 0
  return (socket, nowMs, { limit, window_seconds: windowSeconds }, client) => {
    // Also start a new window if the clock was set back: no window may be longer than declared.
    if (nowMs >= windowEnds || nowMs < windowEnds - windowSeconds * 1000) {
      counts = new Map()
      windowEnds = (Math.floor(nowMs / 1000 / windowSeconds) + 1) * windowSeconds * 1000
    }
    let known = keys.get(socket)
    if (known === undefined || known.client !== client) {
      known = {
        client,
        key: createHmac('sha256', salt)
          .update(networkOf(client ?? socket.remoteAddress))
          .digest('base64')
      }
      keys.set(socket, known)
    }
    const count = (counts.get(known.key) ?? 0) + 1
    counts.set(known.key, count)
    return {
      limit,
      windowSeconds,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.ceil((windowEnds - nowMs) / 1000)
    }
  }
}
