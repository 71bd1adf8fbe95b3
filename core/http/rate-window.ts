import { createHmac, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { RateState } from '../handler/errors.ts'
import { networkOf } from './client-address.ts'

/** How many requests are advised in how many seconds; a reload may change it, for windows from then on. */
type RatePolicy = Readonly<{ limit: number; window_seconds: number }>

/**
 * Counts requests of a caller in fixed windows for the advisory RateLimit headers; it refuses no request. State lives
 * in memory, is keyed by a hash with a random salt of the process, and is forgotten with its window. A connection
 * remembers its own key, so that the hash is computed once for each connection; through a proxy, once for each change
 * of `client` on it.
 */
export function createRateWindow(): (socket: Socket, nowMs: number, policy: RatePolicy, client?: string) => RateState {
  const salt = randomBytes(32)
  const keys = new WeakMap<Socket, Readonly<{ client: string | undefined; key: string }>>()
  let counts = new Map<string, number>()
  let windowEnds = 0
  return (socket, nowMs, { limit, window_seconds: windowSeconds }, client) => {
    // Also when the clock was set back: a window is never longer than it says.
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
