import { readdirSync, readFileSync, statSync } from 'node:fs'
import { DatabaseStartError } from '../errors.ts'
import { runNow } from './run-as.ts'

/**
 * Tells whether a process belongs to the server of a cluster: by its working directory on Linux, by its arguments
 * elsewhere. Throws if the process cannot be inspected.
 */
export function serves(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux')
    return runNow('/bin/ps', ['-o', 'args=', '-p', String(pid)], undefined).output.includes(cluster)
  const [place, own] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
  return place.dev === own.dev && place.ino === own.ino
}

/**
 * Returns the parent of a process (proc(5): the command name comes first, may contain anything and ends at the last
 * bracket).
 */
const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[2])

/**
 * Returns the helper processes left of a server that has died. Helpers end with their server unless they are stopped or
 * hang in the kernel. Returns none while the server lives, which is then their parent, even if it belongs to another
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
      // The process has ended, or belongs to another user.
    }
  }
  return [...found.values()].some(parent => found.has(parent)) ? [] : [...found.keys()]
}

/**
 * Kills the helper processes left of a server that has died, and returns how many there were. The data is safe: the
 * next server recovers from the write-ahead log.
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
