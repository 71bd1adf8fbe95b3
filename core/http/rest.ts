import type { ServerResponse } from 'node:http'

/** Milliseconds in which nothing is read from a connection after a refusal. */
const restMs = 250

/**
 * For a request that was refused because too many wait: its answer says when to come back, and a client that does not
 * heed it would take the time of those who are answered. So the system holds back what the client sends next (RFC 9293
 * §3.8.6), and it costs at most four refusals a second.
 */
export function restAfter(res: ServerResponse): void {
  const { socket } = res
  // Before it is finished, Node would read on by itself.
  res.once('finish', () => {
    socket?.pause()
    setTimeout(() => {
      socket?.resume()
    }, restMs).unref()
  })
}
