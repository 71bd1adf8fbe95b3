import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf } from '../../core/database/connection.ts'
import { saltOf, type CallerSalt } from '../../core/http/caller-hash.ts'
import { sumOf, type MetricValues } from '../../core/http/metrics.ts'
import type { Config } from '../config.ts'
import { graceMs, type Front } from '../front.ts'
import { tryPort } from '../ports.ts'
import type { Prepared } from '../prepare.ts'
import { createCrew, type CrewMember } from './crew.ts'
import type { Assignment } from './duties.ts'

/**
 * Milliseconds a worker gets to close its connections after the grace period of its requests, and to return its
 * metrics.
 */
const closeMs = 1_000
const countMs = 1_000

const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * Opens a front end with several processes on one port, which are replaced when they end. The main process prepares the
 * stores, reads the files, and serves the admin port.
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
  let address: AddressInfo | undefined
  let isStopping = false
  /** The last known metrics of each worker, and the sum of the metrics of ended workers. */
  const counted = new Map<CrewMember, MetricValues>()
  let gone: Promise<MetricValues> = Promise.resolve([])

  const crew = createCrew({
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
      // Serves files that were read again while the worker began.
      while (given !== files) {
        given = files
        await member.ask('swap', given)
      }
    },
    lost: (member, cause) => {
      const last = counted.get(member) ?? []
      counted.delete(member)
      // Sums are added one after the other, because several workers may end at once.
      gone = gone.then(before => sumOf([last], before).growing())
      log.error(
        { process: member.pid, cause },
        'A worker ended unexpectedly; another one takes its place. The requests it was answering are lost.'
      )
    },
    failed: error => {
      log.error(
        { reason: error instanceof Error ? error.message : String(error) },
        'A worker could not begin; it is tried again.'
      )
    }
  })

  const toAll = (work: (member: CrewMember) => Promise<unknown>): Promise<unknown> =>
    Promise.all([...crew.serving].map(work))
  readiness.whenReached(() => {
    toAll(member => member.ask('ready', undefined)).catch(() => undefined)
  })

  /**
   * Sends the current files to all workers; resolves to the error of a worker that refuses them. A worker that has
   * ended gets them when it is replaced.
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
      // All workers must listen on the same port, including replacements.
      place = { ...asked, port: await tryPort(asked) }
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
        return await sumOf([...counted.values()], await gone).text()
      }
    },
    stop: async () => {
      isStopping = true
      await crew.stop(graceMs + closeMs)
    }
  }
}
