import type { AddressInfo } from 'node:net'
import { originOf } from '../front.ts'
import { enlist, type Enlisted } from '../workers/enlist.ts'
import type { DevDuties, Edited, DevWork } from './duties.ts'

export type DevWorker = Enlisted<DevDuties>

type RelayOptions = Readonly<{
  edited: Edited
  /** What the next worker serves. */
  work: () => Promise<DevWork>
  /** Hears of a worker that ended although nobody asked it to. */
  lost: (cause: string) => void
}>

/** One worker that serves, and one that has loaded all that an edit will not change and waits for its turn. */
type Relay = Readonly<{
  serving: () => DevWorker | undefined
  /**
   * Lets the other worker serve; resolves to it and where it listens, and to the worker that served before, which takes
   * no more requests and is to be ended. Rejects when it cannot begin: then the one before serves on.
   */
  pass: () => Promise<Readonly<{ after: DevWorker; address: AddressInfo; before: DevWorker | undefined }>>
  stop: () => Promise<void>
}>

export function startRelay({ edited, work, lost }: RelayOptions): Relay {
  let serving: DevWorker | undefined
  let origin: string | undefined
  let isStopping = false
  const all = new Set<DevWorker>()
  const prepare = (): Readonly<{ worker: DevWorker; warm: Promise<void> }> => {
    const worker = enlist<DevDuties>('dev/worker')
    all.add(worker)
    void worker.ended.then(() => all.delete(worker))
    return { worker, warm: worker.ask('warm', edited).catch(() => undefined) }
  }
  let spare = prepare()

  const begin = async (): Promise<Readonly<{ worker: DevWorker; address: AddressInfo }>> => {
    const { worker, warm } = spare
    try {
      await warm
      const first = origin === undefined ? 'all' : 'schema'
      const address = await worker.ask('begin', { ...edited, ...(await work()), origin, first })
      origin = originOf(address)
      return { worker, address }
    } catch (error) {
      worker.kill()
      throw error
    } finally {
      if (!isStopping) spare = prepare()
    }
  }

  return {
    serving: () => serving,
    pass: async () => {
      const { worker, address } = await begin()
      const before = serving
      serving = worker
      void worker.ended.then(cause => {
        if (serving !== worker || isStopping) return
        serving = undefined
        lost(cause)
      })
      await before?.ask('retire', undefined).catch(() => undefined)
      return { after: worker, address, before }
    },
    stop: async () => {
      isStopping = true
      const left = [...all]
      for (const worker of left) {
        if (worker === serving) worker.end()
        else worker.kill()
      }
      await Promise.all(left.map(({ ended }) => ended))
    }
  }
}
