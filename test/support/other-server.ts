import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A server that somebody else runs: its address, and the requests it has seen. */
export type OtherServer = Readonly<{ url: string; port: number; seen: readonly string[]; server: Server }>

export async function otherServer(
  t: Pick<Test, 'teardown'>,
  listener: RequestListener,
  host = '127.0.0.1'
): Promise<OtherServer> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`)
    listener(request, response)
  }).listen(0, host)
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://${host}:${port}`, port, seen, server }
}
