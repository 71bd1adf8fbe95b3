import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import type { CallerSalt } from '../../core/http/client.ts'
import type { MetricValues } from '../../core/http/metrics.ts'
import { UsageError, type Config } from '../config.ts'
import { OperatorFault } from '../../core/database/fault.ts'
import { faultOf } from '../faults.ts'
import { FindingsError } from '../io.ts'
import type { ListenAddress, Listening } from '../ports.ts'
import { codeFolder, codeExtension } from '../project.ts'
import type { ReadRegistry } from '../read-registry.ts'

/** What a worker is given, so that it answers exactly as the others do. */
export type Assignment = Readonly<{
  config: Config
  place: ListenAddress
  roots: readonly string[]
  checkReplies: boolean
  files: ReadRegistry['files']
  startedAt: Date
  isReady: boolean
  callerSalt: CallerSalt
}>

/** What the main process calls in a worker. */
export type WorkerProcedures = Readonly<{
  begin: (assignment: Assignment) => Promise<Listening>
  /** Serves these files from the next request on. */
  swap: (files: ReadRegistry['files']) => void
  ready: () => void
  count: () => Promise<MetricValues>
  /** Proves that the worker is responsive. */
  answer: () => void
  end: () => Promise<never>
}>

/** An error as it is sent between processes: wrong usage, findings, or a fault with its code and what to do. */
type CallFailure = Readonly<{
  message: string
  of: 'usage' | 'findings' | Readonly<Pick<OperatorFault, 'code' | 'fix'>>
}>

/** Functions that one process calls in another; arguments and results are copied. */
type AnyProcedures = Readonly<Record<string, (given: never) => unknown>>

type ProcedureCall = Readonly<{ id: number; duty: string; given: unknown }>
type CallOutcome = Readonly<{ id: number; value: unknown } | { id: number; failure: CallFailure }>

/** A worker, as the main process sees it. */
export type WorkerHandle<Tasks extends AnyProcedures> = Readonly<{
  pid: number
  /** Rejects if the call fails or the worker ends first. */
  ask: <Name extends keyof Tasks & string>(
    duty: Name,
    given: Parameters<Tasks[Name]>[0]
  ) => Promise<Awaited<ReturnType<Tasks[Name]>>>
  /** Resolves to the signal or exit code, or to the error if the process could not be started. */
  ended: Promise<string>
  isGone: () => boolean
  /** Asks the worker to finish open requests and end. */
  end: () => void
  kill: () => void
}>

const errorOf = ({ message, of }: CallFailure): Error =>
  of === 'usage'
    ? new UsageError(message)
    : of === 'findings'
      ? new FindingsError(message)
      : new OperatorFault(of.code, message, of.fix)

/** Starts a worker process. `program` is a file below `bin/`, without extension. */
export function spawnWorker<Tasks extends AnyProcedures>(program: string): WorkerHandle<Tasks> {
  // All workers accept from the queue of the operating system, so connections that a killed worker has not accepted go
  // to others. With Node's round robin, those already passed to it are lost: measured, every second kill left a client
  // without a response.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: join(codeFolder, 'bin', `${program}${codeExtension}`),
    args: [],
    serialization: 'advanced'
  })
  const worker: Worker = cluster.fork()
  const open = new Map<number, Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>>()
  let orders = 0
  // Calls wait until the worker is ready, which it announces with an outcome of id 0.
  const waiting: ProcedureCall[] = []
  let isPresent = false
  // Sending fails for a worker that was asked to end.
  const send = (order: ProcedureCall): void => {
    worker.send(order, error => {
      if (error !== null) open.get(order.id)?.reject(error)
    })
  }
  worker.on('message', (outcome: CallOutcome) => {
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
    // The end of the process covers failed sends. A process that could not be started never exits.
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
      // The main process also holds the port: with it open until the last worker is gone, it would accept connections
      // that nobody answers.
      worker.disconnect()
    },
    kill: () => {
      worker.process.kill('SIGKILL')
    }
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof UsageError) return { message: error.message, of: 'usage' }
  if (error instanceof FindingsError) return { message: error.message, of: 'findings' }
  const { message, code, fix } = faultOf(error)
  return { message, of: { code, fix } }
}

/** Sends an outcome to the main process. Errors are ignored, because the channel is closed when the worker ends. */
const tell = (outcome: CallOutcome): void => {
  process.send?.(outcome, () => undefined)
}

/** Executes the calls of the main process. */
export function serveProcedures<Tasks extends AnyProcedures>(duties: {
  readonly [Name in keyof Tasks]: (given: Parameters<Tasks[Name]>[0]) => unknown
}): void {
  process.on('message', ({ id, duty, given }: ProcedureCall) => {
    // The call begins synchronously, so that the next message finds it begun.
    const work = async (): Promise<unknown> => await (duties[duty] as (given: unknown) => unknown)(given)
    work().then(
      value => {
        tell({ id, value })
      },
      (error: unknown) => {
        tell({ id, failure: failureOf(error) })
      }
    )
  })
  // Terminals and service managers signal all processes; only the main process acts on signals.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  // A closed log stream is no failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  // Messages sent before this are lost.
  tell({ id: 0, value: undefined })
}
