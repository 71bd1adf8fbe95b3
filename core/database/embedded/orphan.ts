import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Account } from './account.ts'
import { lockFile, type FileLock } from './file-lock.ts'
import { endHelpers, serves } from './helpers.ts'
import { isSocketFolder } from './place.ts'
import { readPlainFile, removeFile } from './plain-file.ts'

const patience = 8_000
const helperPatience = 2_000

/**
 * Takes a cluster for the server we are about to start, and gives back the lock that this server must inherit. A server
 * that outlived its Pantry is stopped first. Its data is safe: a fast shutdown writes everything down, and a server
 * that does not react in time is ended the hard way and recovers from its log at the next start. One that cannot be
 * seen from here keeps the cluster: `DatabaseStartError`.
 */
export async function takeCluster(cluster: string, account: Account | undefined, log: Log): Promise<FileLock> {
  const pid = orphanOf(cluster)
  if (pid !== undefined) {
    log.warn(`A PostgreSQL server (process ${pid}) of an earlier Pantry is still running; it is stopped.`)
    await end(pid, cluster)
  }
  const lock = (await lockWhenFree(cluster, helperPatience)) ?? (await lockAfterHelpers(cluster, log))
  if (lock === undefined) {
    throw new DatabaseStartError(
      `A PostgreSQL server of an earlier Pantry still uses ${cluster}, in another container or on another machine.`,
      'Stop it there, then start again.'
    )
  }
  forgetPidFile(cluster, account)
  return lock
}

/** No process ever replaces `PG_VERSION`. Helpers of a server that died may hold the lock for a moment longer. */
async function lockWhenFree(cluster: string, limit: number): Promise<FileLock | undefined> {
  for (let waited = 0; waited < limit; waited += 200) {
    const lock = lockFile(join(cluster, 'PG_VERSION'))
    if (lock !== undefined) return lock
    await sleep(200)
  }
  return undefined
}

/** Those that have not ended by then never will, being stopped. */
async function lockAfterHelpers(cluster: string, log: Log): Promise<FileLock | undefined> {
  const count = endHelpers(cluster)
  if (count > 0)
    log.warn(
      `A PostgreSQL server of an earlier Pantry has ended, and ${count} of its processes have not; they are ended.`
    )
  return await lockWhenFree(cluster, patience)
}

async function end(pid: number, cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    signalTo(pid, signal, cluster)
    for (let waited = 0; waited < patience; waited += 50) {
      if (orphanOf(cluster) !== pid) return
      await sleep(50)
    }
  }
}

/**
 * A process id file of a dead server keeps a new one from starting when the number lives on, as a process nobody has
 * waited for or as another program. We hold the lock that every server of Pantry and all its helpers hold while they
 * live: theirs are dead. A file that a server of someone else wrote is left for PostgreSQL to judge.
 */
function forgetPidFile(cluster: string, account: Account | undefined): void {
  const [, , , , socketFolder = ''] = pidFile(cluster)
  if (isSocketFolder(socketFolder)) removeFile(join(cluster, 'postmaster.pid'), account)
}

/**
 * The lines of postmaster.pid: process id, cluster, time of start, port, folder of the socket. None when there is no
 * such file.
 */
function pidFile(cluster: string): readonly string[] {
  try {
    return readPlainFile(join(cluster, 'postmaster.pid')).split('\n')
  } catch {
    return []
  }
}

/**
 * The process that postmaster.pid names, if it is alive and really serves this cluster (process ids are used again).
 */
function orphanOf(cluster: string): number | undefined {
  const pid = Number(pidFile(cluster)[0])
  try {
    return Number.isSafeInteger(pid) && pid > 1 && serves(pid, cluster) ? pid : undefined
  } catch {
    return undefined
  }
}

function signalTo(pid: number, signal: NodeJS.Signals, cluster: string): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new DatabaseStartError(
      `The PostgreSQL server of ${cluster} (process ${pid}) is still running and belongs to another user.`,
      'Stop it as that user, or start Pantry as that user.',
      error
    )
  }
}
