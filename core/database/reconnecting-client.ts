import { Socket } from 'node:net'
import pg from 'pg'
import type { QueryArrayConfig } from 'pg'
import { clientConfig, type ConnectionLimits, type ServerTarget } from './connection.ts'
import { mayAskAgain } from './let-in.ts'
import type { Log } from './log.ts'
import { reasonOf, withinLimit } from './pooler.ts'

/**
 * `down`: the server did not let us in when we last tried, so there is no point in waiting for it; with patience, there
 * is one while it has no connection free.
 */
type ClientState = 'connecting' | 'idle' | 'busy' | 'down' | 'closed'

const firstDelay = 100
const longestDelay = 1_000
const goodbye = 500

/**
 * A connection to a server. It reconnects by itself, with growing delays, and runs one statement at a time. If a
 * statement gets no answer, the connection is dropped.
 */
export class ReconnectingClient {
  state: ClientState = 'connecting'
  readonly #target: ServerTarget
  readonly #limits: ConnectionLimits
  readonly #changed: () => void
  readonly #log: Log
  #client: pg.Client | undefined
  /** The socket of each pg client. */
  readonly #sockets = new WeakMap<pg.Client, Socket>()
  #delay = firstDelay
  #timer: NodeJS.Timeout | undefined
  /** When the client began to look for a connection. */
  #begun = performance.now()

  /** Starts to connect. `changed` is called whenever the client becomes idle or down, or has lost its connection. */
  constructor(target: ServerTarget, limits: ConnectionLimits, changed: () => void, log: Log) {
    this.#target = target
    this.#limits = limits
    this.#changed = changed
    this.#log = log
    void this.#connect()
  }

  /**
   * Runs a statement and returns rows as arrays, in the order of the select list. May be called only while `state` is
   * `idle`.
   */
  async run(query: QueryArrayConfig): Promise<unknown[][]> {
    const client = this.#client
    if (client === undefined || this.state !== 'idle') throw new Error('Connection terminated: the client is not idle')
    this.state = 'busy'
    try {
      const { rows } = await withinLimit(client, this.#target, this.#limits, () =>
        client.query<unknown[]>(this.#target.isPooled === true ? { ...query, name: undefined } : query)
      )
      this.#free(client)
      return rows
    } catch (error) {
      // An error with severity ERROR came from the server, so the connection is still usable; after any other error it
      // may not be.
      if (error instanceof pg.DatabaseError && error.severity === 'ERROR') this.#free(client)
      else this.#drop(client)
      throw error
    }
  }

  /** Drops the connection and reconnects, for example so that statements are prepared again. */
  reset(): void {
    if (this.#client !== undefined) this.#drop(this.#client)
  }

  async close(): Promise<void> {
    this.state = 'closed'
    clearTimeout(this.#timer)
    if (this.#client === undefined) return
    const client = this.#client
    const hurry = setTimeout(() => {
      this.#destroy(client)
    }, goodbye)
    await client.end()
    clearTimeout(hurry)
  }

  #free(client: pg.Client): void {
    if (client !== this.#client || this.state !== 'busy') return
    this.state = 'idle'
    this.#changed()
  }

  async #connect(): Promise<void> {
    const socket = new Socket()
    const client = new pg.Client({ ...clientConfig(this.#target, this.#limits), stream: () => socket })
    this.#sockets.set(client, socket)
    client.on('error', () => {
      this.#drop(client)
    })
    client.on('end', () => {
      this.#drop(client)
    })
    this.#client = client
    try {
      await client.connect()
    } catch (error) {
      this.#destroy(client)
      if (client === this.#client && this.state !== 'closed') this.#retryLater(error)
      return
    }
    if (this.state === 'closed') return
    if (this.#delay > firstDelay) this.#log.info('The database answers again.')
    this.#delay = firstDelay
    this.state = 'idle'
    this.#changed()
  }

  #drop(client: pg.Client): void {
    if (client !== this.#client || this.state === 'closed') return
    const wasConnected = this.state === 'idle' || this.state === 'busy'
    if (!wasConnected) return
    this.#destroy(client)
    this.#begun = performance.now()
    this.state = 'connecting'
    this.#changed()
    void this.#connect()
  }

  #retryLater(error: unknown): void {
    if (this.#delay === firstDelay) this.#log.warn(`The database cannot be reached: ${reasonOf(error)}`)
    this.#client = undefined
    this.state = mayAskAgain(this.#limits, error, this.#begun) ? 'connecting' : 'down'
    this.#timer = setTimeout(() => {
      void this.#connect()
    }, this.#delay)
    this.#delay = Math.min(this.#delay * 2, longestDelay)
    this.#changed()
  }

  /** Destroys the socket without the closing message of the protocol, which a dead server would never answer. */
  #destroy(client: pg.Client): void {
    this.#sockets.get(client)?.destroy()
  }
}
