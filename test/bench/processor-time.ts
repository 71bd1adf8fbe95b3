import { readFileSync, readdirSync } from 'node:fs'
import { pid } from 'node:process'

/**
 * Microseconds that the threads of a process ran, and that its first thread waited for a core while it could have run.
 */
export type ProcessorTime = Readonly<{ ran: number; waited: number }>

/** `[ran, waited]` of a thread, in microseconds. */
function scheduled(thread: string): readonly [number, number] {
  try {
    const [ran, waited] = readFileSync(`${thread}/schedstat`, 'utf8').split(' ')
    return [Number(ran) / 1000, Number(waited) / 1000]
  } catch {
    // The thread has ended since it was listed.
    return [0, 0]
  }
}

/** Of a process of this machine. Throws where there is no `/proc/PID/task`: the bench measures on Linux only. */
export function processorTime(id: number): ProcessorTime {
  const folder = `/proc/${id}/task`
  // Helpers of the engine share the core of the first thread, and wait for it on a quiet machine as well.
  return {
    ran: readdirSync(folder).reduce((sum, thread) => sum + scheduled(`${folder}/${thread}`)[0], 0),
    waited: scheduled(`${folder}/${id}`)[1]
  }
}

export const ownTime = (): ProcessorTime => processorTime(pid)

/** Microseconds that the host of this machine gave its cores to others. */
export const stolen = (): number => Number(readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)[8]) * 10_000

/** Bytes of a process that are in memory. */
export const residentBytes = (id: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024
