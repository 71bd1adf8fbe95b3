import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf } from '../../core/database/connection.ts'
import { saltOf, type CallerSalt } from '../../core/http/client.ts'
import { aggregateMetrics, type MetricValues } from '../../core/http/metrics.ts'
import type { Config } from '../config.ts'
import { graceMs, type Front } from '../front.ts'
import { messageOf } from '../io.ts'
import { tryPort, type Listening } from '../ports.ts'
import type { Prepared } from '../prepare.ts'
import { spawnWorker, type Assignment, type WorkerProcedures, type WorkerHandle } from './duties.ts'

/**
 * Milliseconds for a worker to close its connections after the grace period of its requests, and to return its metrics.
 */
const closeMs = 1_000
const countMs = 1_000

const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * Answers with several processes on one port, which are replaced when they end. The main process prepares the stores,
 * reads the files, and serves the admin port.
 */
export async function openWorkers(
  { log, first, startedAt, readiness, subsystems, target }: Prepared,
  config: Config,
  roots: readonly string[],
  checkReplies: boolean
): Promise<Front> {
  const found = await target()
  const theirs: Config =
    found === undefined || config.databaseUrl !== undefined ? config : { ...config, databaseUrl: addressOf(found) }
  let { files } = first
  let salt: CallerSalt | undefined
  let place: Assignment['place'] | undefined
  let address: Listening | undefined
  let isStopping = false
  /** The last metrics of each worker, and the sum of those of workers that ended unexpectedly (`gone`). */
  const counted = new Map<PoolWorker, MetricValues>()
  let gone: Promise<MetricValues> = Promise.resolve([])

  const crew = createWorkerPool({
    size: config.workers,
    begin: async member => {
      if (place === undefined) throw new Error('Workers are started by `listen`.')
      let given = files
      salt = saltOf(today(), salt)
      address = await member.ask('begin', {
        config: theirs,
        place,
        roots,
        checkReplies,
        files,
        startedAt,
        isReady: readiness.isReached,
        callerSalt: salt
      })
      if (readiness.isReached) await member.ask('ready', undefined)
      // Files may have been read again while the worker began.
      while (given !== files) {
        given = files
        await member.ask('swap', given)
      }
    },
    lost: (member, cause) => {
      const last = counted.get(member) ?? []
      counted.delete(member)
      // Several workers may end at once.
      gone = gone.then(before => aggregateMetrics([last], before).growing())
      log.error(
        { process: member.pid, cause },
        'A worker ended unexpectedly; another one takes its place. The requests it was answering are lost.'
      )
    },
    failed: error => {
      log.error({ reason: messageOf(error) }, 'A worker could not begin; it is tried again.')
    }
  })

  const toAll = (work: (member: PoolWorker) => Promise<unknown>): Promise<unknown> =>
    Promise.all([...crew.serving].map(work))
  readiness.whenReached(() => {
    toAll(member => member.ask('ready', undefined)).catch(() => undefined)
  })

  /**
   * Lets all workers serve the files. Resolves to the error of a worker that refuses them. The replacement of a worker
   * that has ended gets them when it begins.
   */
  const swapAll = async (): Promise<Error | undefined> => {
    const outcomes = await Promise.allSettled(
      [...crew.serving].map(member =>
        member.ask('swap', files).catch((error: unknown) => {
          if (!member.isGone()) throw error
        })
      )
    )
    return outcomes.find(outcome => outcome.status === 'rejected')?.reason as Error | undefined
  }

  return {
    listen: async asked => {
      // Replacements must listen on the same port.
      place = await tryPort(asked)
      await crew.start()
      if (address === undefined) throw new Error('No worker listens.')
      return address
    },
    swap: async read => {
      const before = files
      ;({ files } = read)
      const refusal = await swapAll()
      if (refusal === undefined) return
      files = before
      await swapAll()
      throw refusal
    },
    state: () => {
      const { size } = crew.serving
      const process = {
        status: size === 0 ? 'down' : size < config.workers ? 'degraded' : 'ok',
        detail: `${size} of ${config.workers} workers answer.`
      } as const
      return { ready: readiness.isReached && !isStopping && size > 0, subsystems: { process, ...subsystems() } }
    },
    metrics: {
      text: async () => {
        await toAll(async member => {
          const fresh = await Promise.race([
            member.ask('count', undefined),
            sleep(countMs, undefined, { ref: false })
          ]).catch(() => undefined)
          if (fresh !== undefined && crew.serving.has(member)) counted.set(member, fresh)
        })
        return await aggregateMetrics([...counted.values()], await gone).text()
      }
    },
    stop: async () => {
      isStopping = true
      await crew.stop(graceMs + closeMs)
    }
  }
}

type PoolWorker = WorkerHandle<WorkerProcedures>

type PoolOptions = Readonly<{
  size: number
  /** Resolves when the worker serves. */
  begin: (member: PoolWorker) => Promise<unknown>
  /** Called when a worker ended unexpectedly. */
  lost: (member: PoolWorker, cause: string) => void
  /** Called when a replacement could not begin. */
  failed: (error: unknown) => void
}>

/**
 * Milliseconds: a worker that served for less than `steadyMs` is replaced after a pause, which doubles from
 * `minPauseMs` to `maxPauseMs`.
 */
const steadyMs = 1_000
const minPauseMs = 100
const maxPauseMs = 5_000

/** Milliseconds between two health checks of a worker, and until it counts as hung. */
const lookMs = 1_000
const silentMs = 10_000

/** Milliseconds in which a worker must begin to serve. */
const beginMs = 60_000

/** Watches a worker until it has ended, and kills it if it hangs. */
async function watch(member: PoolWorker): Promise<void> {
  for (;;) {
    await sleep(lookMs, undefined, { ref: false })
    if (member.isGone()) return
    const silent = setTimeout(member.kill, silentMs)
    await member.ask('answer', undefined).catch(() => undefined)
    clearTimeout(silent)
  }
}

/**
 * Keeps `size` workers running; one that is killed or hangs is replaced. `start` rejects if one of the first cannot
 * begin; later ones are retried without limit.
 */
export function createWorkerPool({
  size,
  begin,
  lost,
  failed
}: PoolOptions): Readonly<{
  serving: ReadonlySet<PoolWorker>
  start: () => Promise<void>
  stop: (patienceMs: number) => Promise<void>
}> {
  const all = new Set<PoolWorker>()
  const serving = new Set<PoolWorker>()
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted

  async function recruit(): Promise<PoolWorker> {
    const member = spawnWorker<WorkerProcedures>('workers/main')
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

  async function keep(first: PoolWorker): Promise<void> {
    let pause = 0
    for (let member: PoolWorker | undefined = first; ;) {
      const began = performance.now()
      const cause = await member?.ended
      if (isStopping()) return
      if (member !== undefined && cause !== undefined) lost(member, cause)
      pause =
        member !== undefined && performance.now() - began >= steadyMs
          ? 0
          : Math.min(Math.max(pause * 2, minPauseMs), maxPauseMs)
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
