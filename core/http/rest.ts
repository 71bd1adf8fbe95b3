import type { ServerResponse } from 'node:http'

/** Milliseconds for which a connection is not read after a refusal. */
const restMs = 250

/**
 * Pauses reading from a connection after a 503 for too many requests: a client that ignores Retry-After would otherwise
 * take time from those who are answered. TCP flow control then holds back what the client sends next (RFC 9293 §3.8.6),
 * so a connection gets at most four refusals a second.
 */
export function restAfter(res: ServerResponse): void {
  const { socket } = res
  // Wait for `finish`: earlier, Node itself would resume reading.
  res.once('finish', () => {
    socket?.pause()
    setTimeout(() => {
      socket?.resume()
    }, restMs).unref()
  })
}
