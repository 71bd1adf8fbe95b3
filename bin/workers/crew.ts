import cluster, { type Worker } from 'node:cluster'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../config.ts'
import type { Duties, Failure, Order, Outcome } from './duties.ts'

/** One worker, as the main process sees it. */
export type Member = Readonly<{
  pid: number
  /** Asks it to do something. Rejects when it cannot, or ends before it has. */
  ask: <Name extends keyof Duties>(
    duty: Name,
    given: Parameters<Duties[Name]>[0]
  ) => Promise<Awaited<ReturnType<Duties[Name]>>>
  /** Resolves when it is gone, with what ended it: a signal or an exit code. */
  ended: Promise<string>
  isGone: () => boolean
  /** Asks it to answer what has begun, and then to end. */
  end: () => void
  kill: () => void
}>

/** A worker could not begin; what is wrong is the same as in a process that serves alone. */
class WorkerError extends Error {
  readonly fix: string

  constructor({ message, fix = '' }: Failure) {
    super(message)
    this.fix = fix
  }
}

const errorOf = (failure: Failure): Error =>
  failure.isUsage
    ? new UsageError(failure.message)
    : failure.fix === undefined
      ? new Error(failure.message)
      : new WorkerError(failure)

/** Starts a process that waits for its first duty. */
function enlist(): Member {
  // All workers take connections from the one queue of the system, so what a worker has not taken when it is killed is
  // taken by others. With Node's round robin, what the main process has given to it is never answered: measured, a
  // client waits in vain at every second kill.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: join(import.meta.dirname, `main${extname(import.meta.filename)}`),
    args: [],
    serialization: 'advanced'
  })
  const worker: Worker = cluster.fork()
  const open = new Map<number, Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>>()
  let orders = 0
  // It says when it listens to orders, with an outcome of none.
  const waiting: Order[] = []
  let isPresent = false
  // Once a worker is asked to end, nothing more reaches it.
  const send = (order: Order): void => {
    worker.send(order, error => {
      if (error !== null) open.get(order.id)?.reject(error)
    })
  }
  worker.on('message', (outcome: Outcome) => {
    isPresent = true
    waiting.splice(0).forEach(send)
    const asked = open.get(outcome.id)
    open.delete(outcome.id)
    if ('failure' in outcome) asked?.reject(errorOf(outcome.failure))
    else asked?.resolve(outcome.value)
  })
  const ended = new Promise<string>(resolve => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      resolve(String(signal ?? code))
    })
    // A message that cannot be sent is told by the end of the process; one that could not be started has no end.
    worker.on('error', (error: Error) => {
      if (worker.process.pid === undefined) resolve(error.message)
    })
  })
  void ended.then(cause => {
    for (const { reject } of open.values()) reject(new Error(`A worker ended (${cause}).`))
    open.clear()
  })
  return {
    pid: worker.process.pid ?? 0,
    ask: (duty, given) =>
      new Promise((resolve, reject) => {
        if (worker.isDead()) {
          reject(new Error('The worker has ended.'))
          return
        }
        orders += 1
        open.set(orders, { resolve: resolve as (value: unknown) => void, reject })
        const order = { id: orders, duty, given }
        if (isPresent) send(order)
        else waiting.push(order)
      }),
    ended,
    isGone: () => worker.isDead(),
    end: () => {
      send({ id: 0, duty: 'end', given: undefined })
      // This process has the port as well: left open until the last worker is gone, it would take connections that
      // nobody answers.
      worker.disconnect()
    },
    kill: () => {
      worker.process.kill('SIGKILL')
    }
  }
}

type CrewOptions = Readonly<{
  size: number
  /** Starts a worker; resolves when it answers. */
  begin: (member: Member) => Promise<unknown>
  /** Hears of a worker that is gone although nobody asked it to end. */
  lost: (member: Member, cause: string) => void
  /** Hears why a worker could not take the place of one that is gone. */
  failed: (error: unknown) => void
}>

/**
 * Milliseconds: a worker that served for less is replaced after a pause, which doubles from the first to the longest.
 */
const steadyMs = 1_000
const firstPause = 100
const longestPause = 5_000

/**
 * Milliseconds between two looks at a worker, and how long it may not answer them: then it hangs, and the requests it
 * was given with it.
 */
const lookMs = 1_000
const silentMs = 10_000

/** Milliseconds in which a worker must begin to answer. */
const beginMs = 60_000

/** Kills a worker that hangs. Returns when it is gone. */
async function watch(member: Member): Promise<void> {
  for (;;) {
    await sleep(lookMs, undefined, { ref: false })
    if (member.isGone()) return
    const silent = setTimeout(member.kill, silentMs)
    await member.ask('answer', undefined).catch(() => undefined)
    clearTimeout(silent)
  }
}

/**
 * Keeps a number of workers at work; one that is killed or hangs is replaced. `start` rejects when one of the first
 * cannot begin; later ones are tried again and again.
 */
export function createCrew({
  size,
  begin,
  lost,
  failed
}: CrewOptions): Readonly<{
  serving: ReadonlySet<Member>
  start: () => Promise<void>
  stop: (patienceMs: number) => Promise<void>
}> {
  const all = new Set<Member>()
  const serving = new Set<Member>()
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted

  async function recruit(): Promise<Member> {
    const member = enlist()
    all.add(member)
    void member.ended.then(() => {
      for (const list of [all, serving]) list.delete(member)
    })
    const late = setTimeout(member.kill, beginMs)
    try {
      await begin(member)
      serving.add(member)
      void watch(member)
      return member
    } catch (error) {
      member.kill()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  async function keep(first: Member): Promise<void> {
    let pause = 0
    for (let member: Member | undefined = first; ;) {
      const began = performance.now()
      const cause = await member?.ended
      if (isStopping()) return
      if (member !== undefined && cause !== undefined) lost(member, cause)
      pause =
        member !== undefined && performance.now() - began >= steadyMs
          ? 0
          : Math.min(Math.max(pause * 2, firstPause), longestPause)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (isStopping()) return
      member = await recruit().catch((error: unknown) => {
        if (!isStopping()) failed(error)
        return undefined
      })
    }
  }

  return {
    serving,
    start: async () => {
      for (const member of await Promise.all(Array.from({ length: size }, recruit))) void keep(member)
    },
    stop: async patienceMs => {
      stopping.abort()
      const ended = Promise.all([...all].map(({ ended }) => ended))
      for (const member of all) {
        if (serving.has(member)) member.end()
        else member.kill()
      }
      const enough = new AbortController()
      await Promise.race([ended, sleep(patienceMs, undefined, { signal: enough.signal }).catch(() => undefined)])
      enough.abort()
      for (const member of all) member.kill()
      await ended
    }
  }
}
