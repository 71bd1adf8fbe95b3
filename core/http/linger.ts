import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Milliseconds for the client to read its answer before the socket is destroyed. */
const lingerMs = 1_000

/**
 * Closes a connection gracefully. Destroying the socket at once would reset the connection, and a client that is still
 * sending would lose the answer (RFC 9112 §9.6). So the server closes its side first, and destroys the socket when the
 * client has closed or the time is over.
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

/** Prepares closing a connection whose request was not read to the end; no more is read than the buffers hold. */
export function lingerAfter(req: IncomingMessage): void {
  const socket = req.socket as Socket | null
  if (socket === null) return
  // Node does not drain a request that was partly read, so the unread rest stays with the client.
  req.pause().read(0)
  socket.destroySoon = () => {
    closeSoon(socket)
  }
}
