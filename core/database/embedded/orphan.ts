import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from '../errors.ts'
import type { Log } from '../log.ts'
import { runNow } from './run-as.ts'

const patience = 8_000

/**
 * Stops a server that outlived its Pantry, so that it is started again as our child. Its data is safe: a fast shutdown writes everything down, and
 * a server that does not react in time is ended the hard way and recovers from its log at the next start.
 */
export async function stopOrphan (cluster: string, log: Log): Promise<void> {
  const pid = orphanOf(cluster)
  if (pid !== undefined) {
    log.warn(`A PostgreSQL server (process ${pid}) of an earlier Pantry is still running; it is stopped.`)
    await end(pid, cluster)
  }
  disownPidFile(cluster)
}

async function end (pid: number, cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    signalTo(pid, signal, cluster)
    for (let waited = 0; waited < patience; waited += 50) {
      if (orphanOf(cluster) !== pid) return
      await sleep(50)
    }
  }
}

/**
 * A process id file of a dead server keeps a new one from starting when the number lives on, as a process nobody has waited for or as another
 * program. PostgreSQL ignores the number of its own parent, which is us. The rest of the file stays: it names the shared memory, by which the new
 * server sees helpers of the old one that still work.
 */
function disownPidFile (cluster: string): void {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file) || orphanOf(cluster) !== undefined) return
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^.*/, String(process.pid)))
}

/** The process that postmaster.pid names, if it is alive and really serves this cluster (process ids are used again). */
function orphanOf (cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
    return Number.isSafeInteger(pid) && pid > 1 && commandLine(pid).includes(cluster) ? pid : undefined
  } catch {
    return undefined
  }
}

function commandLine (pid: number): string {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : runNow('/bin/ps', ['-o', 'args=', '-p', String(pid)], undefined).output
}

function signalTo (pid: number, signal: NodeJS.Signals, cluster: string): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new DatabaseStartError(`The PostgreSQL server of ${cluster} (process ${pid}) is still running and belongs to another user.`, 'Stop it as that user, or start Pantry as that user.', error)
  }
}
