import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import Type from 'typebox'
import { packageFolder } from '../../../bin/roots.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { createMetrics } from '../../../core/http/metrics.ts'
import { adminListener, answerProbe } from '../../../core/http/probes.ts'
import { createSurfaceServer } from '../../../core/http/server.ts'
import { SurfaceApp } from '../../../core/http/surface-app.ts'
import { Work } from '../../../core/http/work.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { compileGeneration } from '../../../core/plan/generation.ts'
import { loadRegistry } from '../../../core/registry/load.ts'
import { Reuse } from '../../../core/source/reuse.ts'
import { eventually } from '../../support/eventually.ts'

const manifest = (path: string, rest = ''): string => `kind: handler
path: ${path}
summary: It waits.
tags: [wait]
access: public
freshness: live
license: CC0-1.0
sources: [self]
provenance: computed
since: 2026-11-23
contract: envelope
${rest}`

/** The library with a surface that answers when the test lets it, and one that reads a body first; with probes on both ports. */
export async function holding (t: Test, direct: boolean) {
  const folder = t.testdir({
    manifests: {
      'held.yaml': manifest('/api/v1/held', 'examples: [{ title: One }]\n'),
      'told.post.yaml': manifest('/api/v1/told', 'method: POST\nexamples: [{ title: One, body: {} }]\n')
    }
  })
  const held: (() => void)[] = []
  const define = defineHandlerFor()
  const handle = async () => {
    await new Promise<void>(resolve => { held.push(resolve) })
    return reply({})
  }
  const nothing = Type.Object({})
  const handlers = new Map([['held', define({ reply: nothing, handle })], ['told.post', define({ body: { schema: nothing, limitBytes: 100 }, reply: nothing, handle })]])
  const none = { handlers: new Map(), handlerFiles: new Map(), problems: [] }
  const roots = [['standard', 'core/standard'], ['library', 'test/fixture/library']].map(([name = '', at = '']) => ({ ...none, name, folder: join(packageFolder, at) }))
  const { registry, diagnostics } = loadRegistry({ kinds, reuse: new Reuse(), roots: [...roots, { ...none, name: 'holding', folder, handlers }] })
  if (registry === undefined) throw new Error(JSON.stringify(diagnostics))
  const generation = compileGeneration({ registry, kinds, handlers, services: {}, observe: now => ({ now, startedAt: now, subsystems: {} }), onFault: fault => { throw fault } })
  let [now, seen] = [0, 0]
  const app = new SurfaceApp({ generation, direct, work: new Work(() => now) })
  const state = () => ({ ready: true, subsystems: {} })
  const servers = [createSurfaceServer(app, {
    before: (req, res) => {
      seen += 1
      return answerProbe(req, res, state)
    }
  }), createServer(adminListener(state, createMetrics()))]
  const [port = 0, adminPort = 0] = await Promise.all(servers.map(server => new Promise<number>(resolve => { server.listen(0, '127.0.0.1', () => { resolve((server.address() as AddressInfo).port) }) })))
  t.teardown(() => { for (const server of servers) server.close().closeAllConnections() })
  const ask = (path: string, init?: RequestInit, at = port): Promise<Response> => fetch(`http://127.0.0.1:${at}${path}`, init)
  return {
    held,
    ask,
    pass: (milliseconds: number) => { now += milliseconds },
    probes: async () => (await Promise.all([ask('/livez'), ask('/readyz'), ask('/livez', {}, adminPort), ask('/readyz', {}, adminPort)])).map(({ status }) => status),
    /** Until so many requests have arrived. */
    arrived: (count: number) => eventually(() => { if (seen < count) throw new Error(`${seen} arrived`) }),
    waitFor: (count: number) => eventually(() => { if (held.length !== count) throw new Error(`${held.length} wait`) })
  }
}
