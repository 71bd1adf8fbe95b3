import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Milliseconds a client has to take its answer before the connection is cut. */
const lingerMs = 1_000

/**
 * Ends a connection on which nothing more is answered. To destroy the socket at once makes the system reset the
 * connection, and a client that is still sending loses the answer (RFC 9112 §9.6). So the server closes its side, and
 * destroys the socket when the client has closed or the time is over.
 */
export function closeSoon(socket: Duplex): void {
  const cut = setTimeout(() => {
    socket.destroy()
  }, lingerMs)
  socket.once('close', () => {
    clearTimeout(cut)
  })
  socket.end()
}

/** For an answer that is given before its request was read to the end: no more is read than the buffers hold. */
export function lingerAfter(req: IncomingMessage): void {
  const socket = req.socket as Socket | null
  if (socket === null) return
  // A request that was read from is not drained by Node when its answer is out: what is not taken stays with the
  // client.
  req.pause().read(0)
  socket.destroySoon = () => {
    closeSoon(socket)
  }
}
