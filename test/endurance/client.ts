import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request to send, and the surface it is counted for. */
export type Sent = Readonly<{
  surface: string
  method: string
  target: string
  headers: Readonly<Record<string, string>>
  body?: string
}>
/** `status` 0: no answer came, for the reason. */
export type Outcome = Readonly<{
  status: number
  ms: number
  bytes: number
  headers?: IncomingHttpHeaders
  reason?: string
}>

const limitMs = 10_000

export class Client {
  readonly #agent: Agent
  readonly #port: number
  readonly #limitMs: number

  /** `limit`: the milliseconds after which a request counts as not answered. */
  constructor(port: number, connections: number, limit = limitMs) {
    this.#port = port
    this.#limitMs = limit
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' })
  }

  /**
   * Requests that were sent again, because the server had closed the idle connection at the same moment (RFC 9112
   * §9.3.1).
   */
  repeated = 0

  send(wanted: Sent): Promise<Outcome> {
    const { method, target, headers, body } = wanted
    const began = performance.now()
    return new Promise(resolve => {
      const failed = (reason: string): void => {
        resolve({ status: 0, ms: performance.now() - began, bytes: 0, reason })
      }
      // A text that is no target for Node is sent all the same by a raw client (test/promises/malformed-input.test.ts).
      const sent = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          method,
          path: target,
          headers,
          timeout: this.#limitMs
        },
        answer => {
          let bytes = 0
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length
          })
          answer.on('end', () => {
            resolve({ status: answer.statusCode ?? 0, ms: performance.now() - began, bytes, headers: answer.headers })
          })
          answer.on('error', error => {
            failed(error.message)
          })
        }
      )
      sent.on('timeout', () => {
        sent.destroy(new Error('no answer in time'))
      })
      sent.on('error', error => {
        const { code = error.message } = error as NodeJS.ErrnoException
        if (code === 'ECONNRESET' && sent.reusedSocket) {
          this.repeated += 1
          resolve(this.send(wanted))
        } else failed(code)
      })
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/**
 * Sends what `next` makes at a fixed rate, however long answers take, until the time is over and all have come. Gives
 * each outcome to `heard`. At most `mostOpen` are on their way; what is due beyond that waits, and is not sent later in
 * a burst.
 */
export async function drive(
  client: Client,
  { perSecond, until, mostOpen }: { perSecond: number; until: number; mostOpen: number },
  next: () => Sent,
  heard: (sent: Sent, outcome: Outcome) => void
): Promise<void> {
  let open = 0
  let due = 0
  let last = performance.now()
  const one = async (): Promise<void> => {
    const sent = next()
    open += 1
    heard(sent, await client.send(sent))
    open -= 1
  }
  while (performance.now() < until) {
    const now = performance.now()
    due = Math.min(due + ((now - last) * perSecond) / 1000, perSecond / 4)
    last = now
    for (; due >= 1 && open < mostOpen; due -= 1) void one()
    await sleep(4)
  }
  for (const end = performance.now() + limitMs; open > 0 && performance.now() < end;) await sleep(20)
}
