import { admitsEveryone } from '../access/index.ts'
import type { Surface } from '../manifest/surface.ts'

/**
 * Milliseconds that a request may expect to wait for its answer. Where one took longer within the last second, and a
 * new one would, the new one is refused.
 */
const longestWait = 150
const lateFor = 1_000
/** So many are let in however slow they are: a few slow answers are no queue. */
const fewest = 10
/**
 * So many are worked on at once however slow they are. A pool of connections has more: some are left for other
 * surfaces.
 */
const fewestAtOnce = 4
/**
 * What anyone may write waits behind one lock, mostly. More of it at once would only hold connections that reads need.
 */
const anyonesWrites = 2
/** Milliseconds of work over which answers are counted. */
const window = 250

type Count = Readonly<{ answers: number; milliseconds: number }>
const nothing: Count = { answers: 0, milliseconds: 0 }

/**
 * A request in a queue: `turn` is there when it has to wait until it is worked on. `leave` takes the status of its
 * answer, if it got one.
 */
export type Visit = Readonly<{ turn: Promise<void> | undefined; leave: (status?: number) => void }>

/**
 * The requests of one surface that wait for something, such as a database. How long a new one will wait follows from
 * how many there are and how many were answered while there was work (Little's law), so the limit fits whatever is
 * asked: thousands of cheap answers, or a few dear ones. While answers are late, no more are worked on than are
 * answered in time, and clients take turns; one that has less than its share waiting is let in where another is not.
 */
export class Queue {
  readonly #now: () => number
  readonly #most: number
  #waiting = 0
  #working = 0
  /** How many of each client wait, and those that are not worked on yet. Both forget a client with its last request. */
  readonly #clients = new Map<string, number>()
  readonly #line = new Map<string, (() => void)[]>()
  /** When it was last looked at how many wait. */
  #seenAt = 0
  #lateUntil = 0
  #before = nothing
  #current = nothing

  /** `now` gives milliseconds that never go back; `most` may be worked on at once. */
  constructor(now: () => number, most = Infinity) {
    this.#now = now
    this.#most = most
  }

  /** Time that passes while nothing waits says nothing about how long an answer takes. */
  #look(answers: number): number {
    const now = this.#now()
    const { answers: known, milliseconds } = this.#current
    this.#current = {
      answers: known + answers,
      milliseconds: this.#waiting === 0 ? milliseconds : milliseconds + now - this.#seenAt
    }
    this.#seenAt = now
    if (this.#current.milliseconds > window) {
      this.#before = this.#current
      this.#current = nothing
    }
    return now
  }

  /** How many can be answered in time; no number where none was late. */
  #inTime(): number {
    if (this.#look(0) > this.#lateUntil) return Infinity
    const milliseconds = this.#before.milliseconds + this.#current.milliseconds
    return milliseconds === 0 ? Infinity : (longestWait * (this.#before.answers + this.#current.answers)) / milliseconds
  }

  /** Whether one more request of a client would wait too long, and the client has its share. */
  isFull(client: string): boolean {
    if (this.#waiting < fewest) return false
    const inTime = this.#inTime()
    if (this.#waiting <= inTime) return false
    const most = Math.max(fewest, inTime)
    const hasShare = (this.#clients.get(client) ?? 0) * this.#clients.size >= most
    return hasShare || this.#waiting >= 2 * most
  }

  /** Whether one more request would be worked on at once. */
  isFree(): boolean {
    return this.#line.size === 0 && this.#takesMore()
  }

  #takesMore(): boolean {
    return (
      this.#working < Math.min(this.#most, fewestAtOnce) ||
      (this.#working < this.#most && this.#working < this.#inTime())
    )
  }

  /** Counts a request until it leaves. Failures are no answers: they may be quick, and many at once. */
  enter(client: string): Visit {
    const isFree = this.isFree()
    const began = this.#look(0)
    this.#waiting += 1
    this.#clients.set(client, (this.#clients.get(client) ?? 0) + 1)
    if (isFree) this.#working += 1
    return {
      turn: isFree ? undefined : this.#inLine(client),
      leave: status => {
        const now = this.#look(status !== undefined && status < 500 ? 1 : 0)
        if (status !== undefined && now - began > longestWait) this.#lateUntil = now + lateFor
        this.#waiting -= 1
        this.#working -= 1
        const left = (this.#clients.get(client) ?? 1) - 1
        if (left === 0) this.#clients.delete(client)
        else this.#clients.set(client, left)
        while (this.#line.size > 0 && this.#takesMore()) this.#callNext()
      }
    }
  }

  async #inLine(client: string): Promise<void> {
    await new Promise<void>(resolve => {
      const behind = this.#line.get(client)
      if (behind === undefined) this.#line.set(client, [resolve])
      else behind.push(resolve)
    })
  }

  /** The client that was served longest ago has the next turn. */
  #callNext(): void {
    for (const [client, [first, ...others]] of this.#line) {
      this.#line.delete(client)
      if (others.length > 0) this.#line.set(client, others)
      this.#working += 1
      first?.()
      return
    }
  }
}

const isAnyonesWrite = ({ access, provenance, route: { methods } }: Surface): boolean =>
  provenance === 'live' && admitsEveryone(access) && methods.every(method => method !== 'GET')

/** The requests of a process that wait, each at its surface: many at a slow one refuse nobody at the others. */
export class Work {
  readonly #now: () => number
  readonly #queues = new Map<string, Queue>()

  /** `now` gives milliseconds that never go back. */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  of(surface: Surface): Queue {
    const known = this.#queues.get(surface.id)
    if (known !== undefined) return known
    const queue = new Queue(this.#now, isAnyonesWrite(surface) ? anyonesWrites : Infinity)
    this.#queues.set(surface.id, queue)
    return queue
  }
}
