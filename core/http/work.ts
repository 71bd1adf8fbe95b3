import { admitsEveryone } from '../access/index.ts'
import { unavailable } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Plan } from '../plan/answer.ts'
import { dispatch, type Dispatched, type Generation, type PlanRoute, type UnroutedRequest } from '../plan/generation.ts'
import type { Answer } from '../plan/request.ts'

/**
 * A dispatched request. `wasOverloaded` tells, once there is an answer, whether the request was refused because too
 * many wait.
 */
export type Admitted = Dispatched & Readonly<{ wasOverloaded?: () => boolean }>

/** The 503 for a request that would wait too long (RFC 9110 §15.6.4). */
const overloaded = unavailable('More is asked than can be answered in time. Please try again in a moment.', 1, {
  subsystem: 'process'
})

/**
 * Dispatches a request to a surface that uses stores: the request waits in the queue of the surface, and is refused
 * while too many wait there.
 */
export function admit(
  queueOf: QueueOf,
  generation: Generation,
  request: UnroutedRequest,
  route: Extract<PlanRoute, { value: Plan }>,
  client: string
): Admitted {
  const { surface } = route.value
  const queue = queueOf(surface)
  if (queue.isFull(client))
    return {
      surface,
      wasOverloaded: () => true,
      answer: generation.failure.ofError(overloaded, { ...request, params: {} }, surface)
    }
  let visit: Visit | undefined
  let [isRead, refused] = [false, false]
  const reading =
    <Args extends readonly unknown[], Content>(read: (...args: Args) => Promise<Content>) =>
    async (...args: Args): Promise<Content> => {
      // While a slow client sends its body, its request takes no place in the queue.
      isRead = true
      visit?.leave()
      visit = undefined
      const content = await read(...args)
      // Check again: others may have come meanwhile, and clients that hold back their bodies could send them at once.
      refused = queue.isFull(client)
      if (refused) throw overloaded
      visit = queue.enter(client)
      await visit.turn
      return content
    }
  if (request.method !== 'GET')
    Object.assign(request, {
      readBody: reading(request.readBody),
      readBytes: reading(request.readBytes),
      readForm: reading(request.readForm)
    })
  const leave = (found: Answer): Answer => {
    visit?.leave(found.status)
    return found
  }
  const wasOverloaded = (): boolean => refused
  if (!queue.isFree()) {
    visit = queue.enter(client)
    return {
      surface,
      wasOverloaded,
      answer: Promise.resolve(visit.turn)
        .then(() => dispatch(generation, request, route).answer)
        .then(leave)
    }
  }
  const { answer } = dispatch(generation, request, route)
  if (!(answer instanceof Promise)) return { surface, answer }
  if (!isRead) visit = queue.enter(client)
  return { surface, wasOverloaded, answer: answer.then(leave) }
}

/** Maximum expected wait in milliseconds. It applies for `lateMs` after an answer that took longer. */
const maxWaitMs = 150
const lateMs = 1_000
/** Requests are refused only while at least this many are in the queue. */
const minWaiting = 10
/**
 * Late answers never lower the number of requests that are processed at once below this. It is less than the number of
 * connections of a pool for requests.
 */
const minConcurrent = 4
/**
 * Maximum concurrent requests of a surface with which anyone may write: most of these wait for one lock, and each holds
 * a connection.
 */
const publicWrites = 2
/** Period in milliseconds, while requests wait, over which answers are counted. */
const windowMs = 250

type Count = Readonly<{ answers: number; milliseconds: number }>
const nothing: Count = { answers: 0, milliseconds: 0 }

/**
 * A request in a queue. `turn` resolves when its processing may begin; undefined if at once. `leave` takes the status
 * of its answer, if there is one.
 */
type Visit = Readonly<{ turn: Promise<void> | undefined; leave: (status?: number) => void }>

/**
 * The queue of the requests of one surface that need something slow, such as a database. The expected wait follows from
 * the number of requests and the rate of answers (Little's law), so the limit fits thousands of cheap answers and a few
 * expensive ones. While answers are late, only as many requests are processed as can be answered in time, and clients
 * take turns.
 */
export class Queue {
  readonly #now: () => number
  readonly #most: number
  #waiting = 0
  #working = 0
  /**
   * Number of requests of each client in the queue, also those being processed; and callbacks (`#pending`) that start
   * those that are not.
   */
  readonly #clients = new Map<string, number>()
  readonly #pending = new Map<string, (() => void)[]>()
  #seenAt = 0
  #lateUntil = 0
  #before = nothing
  #current = nothing

  /** `now` returns monotonic milliseconds; at most `most` requests are processed at once. */
  constructor(now: () => number, most = Infinity) {
    this.#now = now
    this.#most = most
  }

  /** Counts answers, and the time in which the queue was not empty; returns the current time. */
  #record(answers: number): number {
    const now = this.#now()
    const { answers: known, milliseconds } = this.#current
    this.#current = {
      answers: known + answers,
      milliseconds: this.#waiting === 0 ? milliseconds : milliseconds + now - this.#seenAt
    }
    this.#seenAt = now
    if (this.#current.milliseconds > windowMs) {
      this.#before = this.#current
      this.#current = nothing
    }
    return now
  }

  /** Returns how many requests can be answered within `maxWaitMs`; Infinity if no answer was late recently. */
  #capacity(): number {
    if (this.#record(0) > this.#lateUntil) return Infinity
    const milliseconds = this.#before.milliseconds + this.#current.milliseconds
    return milliseconds === 0 ? Infinity : (maxWaitMs * (this.#before.answers + this.#current.answers)) / milliseconds
  }

  /**
   * Tells whether to refuse a further request: it would wait too long, and either its client has its share of the
   * queue, or twice as many requests wait as can be answered in time.
   */
  isFull(client: string): boolean {
    if (this.#waiting < minWaiting) return false
    const capacity = this.#capacity()
    if (this.#waiting <= capacity) return false
    const most = Math.max(minWaiting, capacity)
    const hasShare = (this.#clients.get(client) ?? 0) * this.#clients.size >= most
    return hasShare || this.#waiting >= 2 * most
  }

  isFree(): boolean {
    return this.#pending.size === 0 && this.#hasCapacity()
  }

  #hasCapacity(): boolean {
    return (
      this.#working < Math.min(this.#most, minConcurrent) ||
      (this.#working < this.#most && this.#working < this.#capacity())
    )
  }

  /**
   * Counts a request until `leave`. Failures (status 500 and above) do not count as answers, because they may come
   * quickly.
   */
  enter(client: string): Visit {
    const isFree = this.isFree()
    const began = this.#record(0)
    this.#waiting += 1
    this.#clients.set(client, (this.#clients.get(client) ?? 0) + 1)
    if (isFree) this.#working += 1
    return {
      turn: isFree ? undefined : this.#waitForTurn(client),
      leave: status => {
        const now = this.#record(status !== undefined && status < 500 ? 1 : 0)
        if (status !== undefined && now - began > maxWaitMs) this.#lateUntil = now + lateMs
        this.#waiting -= 1
        this.#working -= 1
        const left = (this.#clients.get(client) ?? 1) - 1
        if (left === 0) this.#clients.delete(client)
        else this.#clients.set(client, left)
        while (this.#pending.size > 0 && this.#hasCapacity()) this.#startNext()
      }
    }
  }

  async #waitForTurn(client: string): Promise<void> {
    await new Promise<void>(resolve => {
      const behind = this.#pending.get(client)
      if (behind === undefined) this.#pending.set(client, [resolve])
      else behind.push(resolve)
    })
  }

  /** Starts the next request, of the client that has waited longest for its turn. */
  #startNext(): void {
    for (const [client, [first, ...others]] of this.#pending) {
      this.#pending.delete(client)
      if (others.length > 0) this.#pending.set(client, others)
      this.#working += 1
      first?.()
      return
    }
  }
}

const isPublicWrite = ({ access, provenance, route: { methods } }: Surface): boolean =>
  provenance === 'live' && admitsEveryone(access) && methods.every(method => method !== 'GET')

export type QueueOf = (surface: Surface) => Queue

/** Returns the function that gives each surface its queue. `now` returns monotonic milliseconds. */
export function createQueues(now = (): number => performance.now()): QueueOf {
  const queues = new Map<string, Queue>()
  return surface => {
    const known = queues.get(surface.id)
    if (known !== undefined) return known
    const queue = new Queue(now, isPublicWrite(surface) ? publicWrites : Infinity)
    queues.set(surface.id, queue)
    return queue
  }
}
