import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { UsageError } from '../config.ts'
import { FindingsError } from '../output/exit.ts'
import { codeFolder, ending } from '../project.ts'
import type { AnyDuties, DutyFailure, DutyOutcome, Order } from './duties.ts'

/** One worker, as the main process sees it. */
export type Enlisted<Tasks extends AnyDuties> = Readonly<{
  pid: number
  /** Asks it to do something. Rejects when it cannot, or ends before it has. */
  ask: <Name extends keyof Tasks & string>(
    duty: Name,
    given: Parameters<Tasks[Name]>[0]
  ) => Promise<Awaited<ReturnType<Tasks[Name]>>>
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

  constructor({ message, fix = '' }: DutyFailure) {
    super(message)
    this.fix = fix
  }
}

function errorOf(failure: DutyFailure): Error {
  if (failure.of === 'usage') return new UsageError(failure.message)
  if (failure.of === 'findings') return new FindingsError(failure.message)
  return failure.fix === undefined ? new Error(failure.message) : new WorkerError(failure)
}

/** Starts a process that waits for its first duty. `program` is its file below `bin/`, without an ending. */
export function enlist<Tasks extends AnyDuties>(program: string): Enlisted<Tasks> {
  // All workers take connections from the one queue of the system, so what a worker has not taken when it is killed is
  // taken by others. With Node's round robin, what the main process has given to it is never answered: measured, a
  // client waits in vain at every second kill.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: join(codeFolder, 'bin', `${program}${ending}`), args: [], serialization: 'advanced' })
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
  worker.on('message', (outcome: DutyOutcome) => {
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
