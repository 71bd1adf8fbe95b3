import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import type { Test } from 'tap'

/** Serves a Koa application until `t` ends: its origin. */
export async function serveKoa(t: Pick<Test, 'teardown'>, app: Koa): Promise<string> {
  app.silent = true
  const answer = app.callback()
  const server = createServer((req, res) => {
    void answer(req, res)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
