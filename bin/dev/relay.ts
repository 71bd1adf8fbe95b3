import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { graceMs, originOf } from '../front.ts'
import type { ListenAddress, Listening } from '../ports.ts'
import { spawnWorker, type WorkerHandle } from '../workers/duties.ts'
import type { Answers } from './examples.ts'

/** The names of the roots, and the bundle folders of those that are edited, by root folder. */
export type Edited = Readonly<{ roots: readonly string[]; folders: ReadonlyMap<string, string> }>

/** `startedAt` is when `pantry dev` started. */
type DevWork = Readonly<{ config: Config; place: ListenAddress; startedAt: Date }>

/** The origin of the previous worker, if any, and what must be done before this one listens. */
type Turn = Readonly<{ origin: string | undefined; needed: 'all' | 'schema' }>

export type DevAssignment = Edited & DevWork & Turn

/**
 * The surfaces whose examples are asked: those of files with handlers (by `handlerFileId`), all of the kind `handler`,
 * or all.
 */
export type Touched = readonly string[] | 'coded' | 'all'

/** What the main process calls in a worker. */
export type DevProcedures = Readonly<{
  /** Loads what does not change with an edit, so that `begin` is fast. */
  warm: (edited: Edited) => void
  /** Listens, and serves the current code and files. Mistakes in them are printed. */
  begin: (given: DevAssignment) => Listening
  /** `noticedAt`: when the change was noticed, in milliseconds since 1970. */
  reload: (noticedAt: number) => Promise<void>
  answers: (touched: Touched) => Promise<Answers>
  /** Finishes open requests and accepts no more connections. */
  retire: () => Promise<void>
  end: () => Promise<never>
}>

type DevWorker = WorkerHandle<DevProcedures>

type RelayOptions = Readonly<{
  edited: Edited
  work: () => Promise<DevWork>
  /** Called when a worker ended unexpectedly, with the cause and how long it had served. */
  lost: (cause: string, servedMs: number) => void
}>

/** One worker that serves, and a spare one that has loaded what an edit does not change. */
type Relay = Readonly<{
  serving: () => DevWorker | undefined
  /**
   * Lets the spare worker serve. The caller must end the worker `before`; `retired` settles when that takes no more
   * requests. Rejects if the spare worker cannot begin; then the old one continues.
   */
  pass: () => Promise<
    Readonly<{ after: DevWorker; address: Listening; before: DevWorker | undefined; retired: Promise<unknown> }>
  >
  stop: () => Promise<void>
}>

/** Milliseconds for a worker to load code in advance or to begin; only the first one begins without a limit. */
const usualMs = 60_000
const endMs = graceMs + 1_000

/** Kills the worker if the reply takes longer than `ms` milliseconds, such as when its code blocks. */
export async function within<T>(ms: number, worker: DevWorker, asked: Promise<T>): Promise<T> {
  const late = setTimeout(worker.kill, ms)
  try {
    return await asked
  } finally {
    clearTimeout(late)
  }
}

export function startRelay({ edited, work, lost }: RelayOptions): Relay {
  let serving: DevWorker | undefined
  let origin: string | undefined
  let isStopping = false
  const all = new Set<DevWorker>()
  /** `isGood`: load the code in advance. After a worker failed to begin with it, another one would fail as well. */
  const prepare = (isGood: boolean): Readonly<{ worker: DevWorker; warm: Promise<void> }> => {
    const worker = spawnWorker<DevProcedures>('dev/worker')
    all.add(worker)
    void worker.ended.then(() => all.delete(worker))
    const warm = isGood ? within(usualMs, worker, worker.ask('warm', edited)) : Promise.resolve()
    return { worker, warm: warm.catch(() => undefined) }
  }
  let spare = prepare(true)

  const begin = async (): Promise<Readonly<{ worker: DevWorker; address: Listening }>> => {
    await spare.warm
    if (spare.worker.isGone()) spare = prepare(false)
    const { worker } = spare
    let isGood = false
    try {
      const turn = { origin, needed: origin === undefined ? 'all' : 'schema' } as const
      const asked = worker.ask('begin', { ...edited, ...(await work()), ...turn })
      const address = await (origin === undefined ? asked : within(usualMs, worker, asked))
      origin = originOf(address)
      isGood = true
      return { worker, address }
    } catch (error) {
      worker.kill()
      throw error
    } finally {
      if (!isStopping) spare = prepare(isGood)
    }
  }

  return {
    serving: () => serving,
    pass: async () => {
      const { worker, address } = await begin()
      const before = serving
      const began = performance.now()
      serving = worker
      void worker.ended.then(cause => {
        if (serving !== worker || isStopping) return
        serving = undefined
        lost(cause, performance.now() - began)
      })
      const retired =
        before === undefined
          ? Promise.resolve()
          : within(endMs, before, before.ask('retire', undefined)).catch(() => undefined)
      return { after: worker, address, before, retired }
    },
    stop: async () => {
      isStopping = true
      const left = [...all]
      for (const worker of left) {
        if (worker === serving) worker.end()
        else worker.kill()
      }
      const ended = Promise.all(left.map(worker => worker.ended))
      await Promise.race([ended, sleep(endMs, undefined, { ref: false })])
      for (const worker of all) worker.kill()
      await ended
    }
  }
}
