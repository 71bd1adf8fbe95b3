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
 * Traffic may come: started, not stopping, and what the service is there for can be read. Where no part says so, not
 * every store is away.
 */
function isReady({ ready, subsystems }: ProbeState): boolean {
  const said = Object.values(subsystems).flatMap(({ isReadable }) => isReadable ?? [])
  return ready && (said.length > 0 ? !said.includes(false) : overall(subsystems) !== 'down')
}

/** Whether all that takes what is sent does; undefined where nothing does. */
function isWritable({ subsystems }: ProbeState): boolean | undefined {
  const said = Object.values(subsystems).flatMap(({ isWritable: takes }) => takes ?? [])
  return said.length === 0 ? undefined : !said.includes(false)
}

const words = (state: ProbeState): string => {
  const writable = isWritable(state)
  return `${isReady(state) ? 'ready' : 'not ready'}\n${writable === undefined ? '' : `writes: ${writable ? 'possible' : 'not possible'}\n`}`
}

/**
 * `/livez`: the process answers. `/readyz`: it may be sent traffic (503 while it starts, drains, or cannot read its
 * stores), and whether it can write. True when the request was one.
 */
export function answerProbe(req: IncomingMessage, res: ServerResponse, state: () => ProbeState): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  if (req.url === '/livez') return answer(res, 200, 'text/plain; charset=utf-8', 'ok\n')
  if (req.url !== '/readyz') return false
  const found = state()
  return answer(res, isReady(found) ? 200 : 503, 'text/plain; charset=utf-8', words(found))
}

/** The admin port: probes, `/readyz` in detail, and `/metrics`. It belongs on an address that only operators reach. */
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
