import type { IncomingMessage, ServerResponse } from 'node:http'
import { overall } from '../discovery/health.ts'
import type { SubsystemState } from '../discovery/discovery.ts'
import { metricsType, type Metrics } from './metrics.ts'

export type ProbeState = Readonly<{ ready: boolean; subsystems: Readonly<Record<string, SubsystemState>> }>

const answer = (res: ServerResponse, status: number, type: string, body: string): true => {
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff'
  })
  res.end(body)
  return true
}

/**
 * Tells whether the process may receive traffic: it has started, is not stopping, and its stores can be read. If no
 * subsystem has `isReadable`, at least one must not be down.
 */
function isReady({ ready, subsystems }: ProbeState): boolean {
  const said = Object.values(subsystems).flatMap(({ isReadable }) => isReadable ?? [])
  return ready && (said.length > 0 ? !said.includes(false) : overall(subsystems) !== 'down')
}

/** Tells whether all subsystems that accept writes can write; undefined if none accepts writes. */
function isWritable({ subsystems }: ProbeState): boolean | undefined {
  const said = Object.values(subsystems).flatMap(({ isWritable: takes }) => takes ?? [])
  return said.length === 0 ? undefined : !said.includes(false)
}

const words = (state: ProbeState): string => {
  const writable = isWritable(state)
  return `${isReady(state) ? 'ready' : 'not ready'}\n${writable === undefined ? '' : `writes: ${writable ? 'possible' : 'not possible'}\n`}`
}

/**
 * Answers `/livez` (the process runs) and `/readyz` (it may receive traffic, or 503 while it starts, drains or cannot
 * read its stores; and whether it can write). Returns true if the request was a probe.
 */
export function answerProbe(req: IncomingMessage, res: ServerResponse, state: () => ProbeState): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  if (req.url === '/livez') return answer(res, 200, 'text/plain; charset=utf-8', 'ok\n')
  if (req.url !== '/readyz') return false
  const found = state()
  return answer(res, isReady(found) ? 200 : 503, 'text/plain; charset=utf-8', words(found))
}

/**
 * Returns the listener of the admin port: probes, `/readyz` in detail, and `/metrics`. The port should be reachable by
 * operators only.
 */
export const adminListener =
  (state: () => ProbeState, metrics: Pick<Metrics, 'text'>) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    if (req.url === '/metrics') {
      void metrics.text().then(
        text => answer(res, 200, metricsType, text),
        () => answer(res, 500, 'text/plain', 'metrics failed\n')
      )
      return
    }
    if (req.url === '/readyz') {
      const found = state()
      const ready = isReady(found)
      answer(
        res,
        ready ? 200 : 503,
        'application/json; charset=utf-8',
        `${JSON.stringify({ ready, writable: isWritable(found), subsystems: found.subsystems })}\n`
      )
      return
    }
    if (!answerProbe(req, res, state))
      answer(res, 404, 'text/plain; charset=utf-8', 'The admin port serves /livez, /readyz and /metrics.\n')
  }
