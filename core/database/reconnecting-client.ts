import { Socket } from 'node:net'
import pg from 'pg'
import type { ClientConfig, QueryArrayConfig } from 'pg'
import type { Log } from './log.ts'

/** `down`: the server did not let us in when we last tried, so there is no point in waiting for it. */
type ClientState = 'connecting' | 'idle' | 'busy' | 'down' | 'closed'

const firstDelay = 100
const longestDelay = 1_000
const goodbye = 500

/** One connection that reopens itself, with growing pauses, and runs one statement at a time. A statement that is not answered costs the connection. */
export class ReconnectingClient {
  state: ClientState = 'connecting'
  readonly #config: ClientConfig
  readonly #changed: () => void
  readonly #log: Log
  #client: pg.Client | undefined
  /** The socket of each client. */
  readonly #sockets = new WeakMap<pg.Client, Socket>()
  #delay = firstDelay
  #timer: NodeJS.Timeout | undefined

  /** `changed` is called whenever the client becomes idle or down. */
  constructor (config: ClientConfig, changed: () => void, log: Log) {
    this.#config = config
    this.#changed = changed
    this.#log = log
    void this.#connect()
  }

  /** Rows as arrays, in the order of the select list. Call it only while `state` is `idle`. */
  async run (query: QueryArrayConfig): Promise<unknown[][]> {
    const client = this.#client
    if (client === undefined || this.state !== 'idle') throw new Error('Connection terminated: the client is not idle')
    this.state = 'busy'
    try {
      const { rows } = await client.query<unknown[]>(query)
      this.#free(client)
      return rows
    } catch (error) {
      // An error with a severity came from the server, so the connection is in order; every other one leaves it in doubt.
      if (error instanceof pg.DatabaseError && error.severity === 'ERROR') this.#free(client)
      else this.#drop(client)
      throw error
    }
  }

  /** Reconnects, so that statements are prepared again. */
  reset (): void {
    if (this.#client !== undefined) this.#drop(this.#client)
  }

  async close (): Promise<void> {
    this.state = 'closed'
    clearTimeout(this.#timer)
    if (this.#client === undefined) return
    const client = this.#client
    const hurry = setTimeout(() => { this.#destroy(client) }, goodbye)
    await client.end()
    clearTimeout(hurry)
  }

  #free (client: pg.Client): void {
    if (client !== this.#client || this.state !== 'busy') return
    this.state = 'idle'
    this.#changed()
  }

  async #connect (): Promise<void> {
    const socket = new Socket()
    const client = new pg.Client({ ...this.#config, stream: () => socket })
    this.#sockets.set(client, socket)
    client.on('error', () => { this.#drop(client) })
    client.on('end', () => { this.#drop(client) })
    this.#client = client
    try {
      await client.connect()
    } catch (error) {
      this.#retryLater(client, error)
      return
    }
    if (this.#client !== client || this.state === 'closed') return
    if (this.#delay > firstDelay) this.#log.info('The database answers again.')
    this.#delay = firstDelay
    this.state = 'idle'
    this.#changed()
  }

  #drop (client: pg.Client): void {
    if (client !== this.#client || this.state === 'closed') return
    const wasConnected = this.state === 'idle' || this.state === 'busy'
    if (!wasConnected) return
    this.#destroy(client)
    this.state = 'connecting'
    void this.#connect()
  }

  #retryLater (client: pg.Client, error: unknown): void {
    this.#destroy(client)
    if (client !== this.#client || this.state === 'closed') return
    if (this.#delay === firstDelay) this.#log.warn(`The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
    this.#client = undefined
    this.state = 'down'
    this.#timer = setTimeout(() => { void this.#connect() }, this.#delay)
    this.#delay = Math.min(this.#delay * 2, longestDelay)
    this.#changed()
  }

  /** Ends a connection without the goodbye that a dead server would never answer. */
  #destroy (client: pg.Client): void {
    this.#sockets.get(client)?.destroy()
  }
}
