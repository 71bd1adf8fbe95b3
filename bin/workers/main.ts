/**
 * The program of a worker. The main process controls it, including its end; if that is gone the worker ends at once
 * (`node:cluster`).
 */
import { runInSlices, serialiseCalls } from '../../core/canonical/work.ts'
import { linkedOrigin, openFront } from '../front.ts'
import { closeAll, prepare, Readiness, type Closers } from '../prepare.ts'
import { readingRegistry } from '../read-registry.ts'
import { enableSourceMaps } from '../stack-traces.ts'
import { serveProcedures, type Assignment, type WorkerProcedures } from './duties.ts'

enableSourceMaps()

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
  const swap = serialiseCalls(async (files: Assignment['files']): Promise<void> => {
    prepared.reuse.handed = files
    const { registry, ...read } = await runInSlices(readingRegistry(prepared.roots, url, prepared.reuse))
    if (registry === undefined) throw new Error('This process finds errors in what the main process found right.')
    await front.swap({ ...read, registry })
  })
  return { address, swap, metrics: front.metrics }
}

let opening: ReturnType<typeof open> | undefined

serveProcedures<WorkerProcedures>({
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
    await closeAll(opened)
    process.exit(0)
  }
})
