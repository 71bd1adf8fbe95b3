import { Socket } from 'node:net'
import pg from 'pg'
import type { QueryArrayConfig } from 'pg'
import { clientConfig, type ConnectionLimits, type NamedServer } from './connection.ts'
import { noServer } from './errors.ts'
import { limitsOfEach, mayAskAgain } from './let-in.ts'
import type { Log } from './log.ts'
import type { Places } from './places.ts'
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
 * A connection to one of several servers. It reconnects by itself, with growing delays, and runs one statement at a
 * time. If a statement gets no answer, the connection is dropped.
 */
export class ReconnectingClient {
  state: ClientState = 'connecting'
  readonly #places: Places
  readonly #limits: ConnectionLimits
  readonly #changed: () => void
  readonly #log: Log
  #client: pg.Client | undefined
  /** The server of the current connection. */
  #place: NamedServer = { name: '', target: { url: '' } }
  /** The socket of each pg client. */
  readonly #sockets = new WeakMap<pg.Client, Socket>()
  #delay = firstDelay
  #timer: NodeJS.Timeout | undefined
  /** When the client began to look for a connection. */
  #begun = performance.now()

  /** Starts to connect. `changed` is called whenever the client becomes idle or down, or has lost its connection. */
  constructor(places: Places, limits: ConnectionLimits, changed: () => void, log: Log) {
    this.#places = places
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
      const { target } = this.#place
      const { rows } = await withinLimit(client, target, this.#limits, () =>
        client.query<unknown[]>(target.isPooled === true ? { ...query, name: undefined } : query)
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

  /**
   * Tells whether a statement can be run now. If the connection should now go to another server, it reconnects first.
   */
  isReady(): boolean {
    if (this.state === 'idle' && !this.#places.isCurrent(this.#place.name)) this.reset()
    return this.state === 'idle'
  }

  /**
   * Reconnects now instead of after the delay, perhaps to another server. The state becomes `connecting`, so that
   * callers wait for it again.
   */
  hurry(): void {
    if (this.state !== 'down') return
    clearTimeout(this.#timer)
    this.#delay = firstDelay
    this.#begun = performance.now()
    this.state = 'connecting'
    void this.#connect()
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
    let failure: unknown = noServer('No server is known that could be asked.')
    const order = this.#places.inOrder()
    for (const place of order) {
      const socket = new Socket()
      const limits = limitsOfEach(this.#limits, order.length)
      const client = new pg.Client({ ...clientConfig(place.target, limits), stream: () => socket })
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
        if ((await this.#places.suits?.(client)) === false)
          throw noServer(`${place.name} is not the server that is wanted.`)
      } catch (error) {
        this.#destroy(client)
        if (client !== this.#client || this.state === 'closed') return
        failure = error
        continue
      }
      if (this.#client !== client) {
        // Another attempt has started meanwhile.
        this.#destroy(client)
        return
      }
      if (this.state === 'closed') return
      if (this.#delay > firstDelay) this.#log.info('The database answers again.')
      this.#delay = firstDelay
      this.#place = place
      this.state = 'idle'
      this.#changed()
      return
    }
    this.#retryLater(failure)
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
