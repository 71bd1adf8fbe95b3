/**
 * The program of one worker. The main process says what it does, also when it ends; a worker whose main process is gone
 * ends at once (`node:cluster`).
 */
import { UsageError } from '../config.ts'
import { linkedOrigin, openFront } from '../front.ts'
import { prepare, type Closers } from '../prepare.ts'
import { Readiness } from '../readiness.ts'
import { readRegistry } from '../read-registry.ts'
import type { Assignment, Duties, Failure, Order, Outcome } from './duties.ts'

const readiness = new Readiness()
const opened: Closers = []

async function open({ config, place, roots: names, checkReplies, files, startedAt, isReady, callerSalt }: Assignment) {
  if (isReady) readiness.reach()
  const prepared = await prepare(
    {
      config,
      roots: names,
      checkReplies,
      checkRows: checkReplies,
      report: () => undefined,
      stderr: process.stderr,
      inherited: { files, readiness, startedAt }
    },
    opened
  )
  const front = openFront(prepared, config, callerSalt)
  opened.push(front.stop)
  const address = await front.listen(place)
  const url = linkedOrigin(config, address)
  const swap = async (files: Assignment['files']): Promise<void> => {
    prepared.reuse.handed = files
    const { registry, ...read } = readRegistry(prepared.roots, url, prepared.reuse)
    if (registry === undefined) throw new Error('This process finds errors in what the main process found right.')
    await front.swap({ ...read, registry })
  }
  return { address, swap, metrics: front.metrics }
}

let opening: ReturnType<typeof open> | undefined

const duties: { readonly [Name in keyof Duties]: (given: Parameters<Duties[Name]>[0]) => unknown } = {
  begin: async given => (await (opening = open(given))).address,
  swap: async files => {
    await (await opening)?.swap(files)
  },
  ready: () => {
    readiness.reach()
  },
  count: async () => (await (await opening)?.metrics?.read()) ?? [],
  answer: () => undefined,
  end: async () => {
    for (const close of opened.splice(0).reverse()) await close()
    process.exit(0)
  }
}

const failureOf = (error: unknown): Failure => ({
  message: error instanceof Error ? error.message : String(error),
  fix: error instanceof Error && 'fix' in error ? String(error.fix) : undefined,
  isUsage: error instanceof UsageError
})

/** The channel is closed when the worker ends. */
const tell = (outcome: Outcome): void => {
  process.send?.(outcome, () => undefined)
}

process.on('message', ({ id, duty, given }: Order) => {
  // What comes next must find the duty begun.
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

// A terminal and a service manager signal all processes of a service, and only the main one decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
// A reader of the log that is gone is no failure.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// What is sent earlier is lost.
tell({ id: 0, value: undefined })
