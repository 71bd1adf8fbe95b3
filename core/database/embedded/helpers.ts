import { readdirSync, readFileSync, statSync } from 'node:fs'
import { DatabaseStartError } from '../errors.ts'
import { runNow } from './run-as.ts'

/**
 * Whether a process is of the server of a cluster, which works in its folder, by whatever path it was started. Throws
 * for a process that cannot be seen.
 */
export function serves(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux')
    return runNow('/bin/ps', ['-o', 'args=', '-p', String(pid)], undefined).output.includes(cluster)
  const [place, own] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
  return place.dev === own.dev && place.ino === own.ino
}

/**
 * The process that started another one (proc(5): the name before it may hold anything but ends with the last bracket).
 */
const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[2])

/**
 * What is left here of a server that is gone. Helpers end by themselves when their server does, unless they are stopped
 * or hang in the system. None where the server lives: then they are its children, also when it belongs to another
 * container.
 */
function helpersOf(cluster: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const found = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (serves(Number(name), cluster)) found.set(Number(name), parentOf(Number(name)))
    } catch {
      // It has ended, or is another user's.
    }
  }
  return [...found.values()].some(parent => found.has(parent)) ? [] : [...found.keys()]
}

/**
 * Ends what is left of a server that is gone, and answers how many there were. Its data is safe: the next server
 * recovers from its log.
 */
export function endHelpers(cluster: string): number {
  const helpers = helpersOf(cluster)
  for (const pid of helpers) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') continue
      throw new DatabaseStartError(
        `Processes of a PostgreSQL server that has ended still use ${cluster} (${helpers.join(', ')}), and belong to another user.`,
        'End them as that user, or start Pantry as that user.',
        error
      )
    }
  }
  return helpers.length
}
