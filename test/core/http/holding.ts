import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import Type from 'typebox'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { createMetrics } from '../../../core/http/metrics.ts'
import { adminListener, createSurfaceServer, SurfaceApp } from '../../../core/http/server.ts'
import { createQueues } from '../../../core/http/work.ts'
import { eventually } from '../../support/eventually.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'

/**
 * The library with a surface that answers when the test lets it, and one that reads a body first; with probes on both
 * ports.
 */
export async function holding(t: Test, direct: boolean) {
  const held: (() => void)[] = []
  const define = defineHandlerFor()
  const handle = async () => {
    await new Promise<void>(resolve => {
      held.push(resolve)
    })
    return reply({})
  }
  const nothing = Type.Object({})
  const generation = handlerGeneration(t, {
    held: { path: '/api/v1/held', more: 'examples: [{ title: One }]\n', handler: define({ reply: nothing, handle }) },
    'told.post': {
      path: '/api/v1/told',
      more: 'method: POST\nexamples: [{ title: One, body: {} }]\n',
      handler: define({ body: { schema: nothing, limitBytes: 100 }, reply: nothing, handle })
    }
  })
  let [now, seen, rested] = [0, 0, 0]
  const app = new SurfaceApp({ generation, direct, queueOf: createQueues(() => now) })
  const state = () => ({ ready: true, subsystems: {} })
  const servers = [createSurfaceServer(app, { probes: state }), createServer(adminListener(state, createMetrics()))]
  servers[0]?.on('request', () => {
    seen += 1
  })
  servers[0]?.on('connection', socket => {
    socket.on('pause', () => {
      rested += 1
    })
  })
  const [port = 0, adminPort = 0] = await Promise.all(
    servers.map(
      server =>
        new Promise<number>(resolve => {
          server.listen(0, '127.0.0.1', () => {
            resolve((server.address() as AddressInfo).port)
          })
        })
    )
  )
  t.teardown(() => {
    for (const server of servers) server.close().closeAllConnections()
  })
  const ask = (path: string, init?: RequestInit, at = port): Promise<Response> =>
    fetch(`http://127.0.0.1:${at}${path}`, init)
  return {
    held,
    ask,
    tell: () => ask('/api/v1/told', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }),
    /** The answers, when what is held and what comes after it was let go. */
    releaseAll: async (answers: readonly Promise<Response>[]) => {
      const timer = setInterval(() => {
        for (const release of held.splice(0)) release()
      }, 5)
      try {
        return await Promise.all(answers)
      } finally {
        clearInterval(timer)
      }
    },
    /** How often a connection was not read for a while. */
    rested: () => rested,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    probes: async () =>
      (
        await Promise.all([ask('/livez'), ask('/readyz'), ask('/livez', {}, adminPort), ask('/readyz', {}, adminPort)])
      ).map(({ status }) => status),
    /** Until so many requests have arrived. */
    arrived: (count: number) =>
      eventually(() => {
        if (seen < count) throw new Error(`${seen} arrived`)
      }),
    waitFor: (count: number) =>
      eventually(() => {
        if (held.length !== count) throw new Error(`${held.length} wait`)
      })
  }
}
