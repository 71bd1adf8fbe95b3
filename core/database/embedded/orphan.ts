import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../connection.ts'
import { OperatorFault } from '../fault.ts'
import type { Account } from './account.ts'
import { isSocketFolder } from './cluster.ts'
import { lockFile, readPlainFile, removeFile, type FileLock } from './lock.ts'
import { endHelpers, serves } from './postmaster.ts'

const patience = 8_000
const helperPatience = 2_000

/**
 * Takes a cluster for a new server, and returns the lock that the server must inherit. An old server whose Pantry has
 * ended is stopped first. Its data is safe: a fast shutdown writes everything to disk, and a server that must be killed
 * recovers from its log at the next start. Throws `OperatorFault` if a process that cannot be seen from here uses
 * the cluster, or the old server belongs to another user.
 */
export async function takeCluster(cluster: string, account: Account | undefined, log: Log): Promise<FileLock> {
  const pid = orphanOf(cluster)
  if (pid !== undefined) {
    log.warn(`A PostgreSQL server (process ${pid}) of an earlier Pantry is still running; it is stopped.`)
    await end(pid, cluster)
  }
  const lock = (await lockWhenFree(cluster, helperPatience)) ?? (await lockAfterHelpers(cluster, log))
  if (lock === undefined) {
    throw new OperatorFault(
      'O205',
      `A PostgreSQL server of an earlier Pantry still uses ${cluster}, in another container or on another machine.`,
      'Stop it there, then start again.'
    )
  }
  forgetPidFile(cluster, account)
  return lock
}

/**
 * Locks the file `PG_VERSION` of a cluster, which no process ever replaces; returns undefined if the lock is not free
 * within `limit` milliseconds. Helpers of a dead server may hold it a moment longer than the server.
 */
async function lockWhenFree(cluster: string, limit: number): Promise<FileLock | undefined> {
  for (let waited = 0; waited < limit; waited += 200) {
    const lock = lockFile(join(cluster, 'PG_VERSION'))
    if (lock !== undefined) return lock
    await sleep(200)
  }
  return undefined
}

/** Kills the remaining helpers, which are suspended and so do not end by themselves, and then locks the cluster. */
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
 * Removes the process id file (`postmaster.pid`) of a dead server of Pantry: it would keep a new server from starting
 * if its process id is in use, by a zombie or another program. Every server of Pantry and its helpers hold the lock
 * while they live, and we hold it now, so they are dead. The file of a server that someone else started is left for
 * PostgreSQL to check.
 */
function forgetPidFile(cluster: string, account: Account | undefined): void {
  const [, , , , socketFolder = ''] = pidFile(cluster)
  if (isSocketFolder(socketFolder)) removeFile(join(cluster, 'postmaster.pid'), account)
}

/**
 * Returns the lines of postmaster.pid: process id, cluster, start time, port, socket folder; none if the file cannot be
 * read.
 */
function pidFile(cluster: string): readonly string[] {
  try {
    return readPlainFile(join(cluster, 'postmaster.pid')).split('\n')
  } catch {
    return []
  }
}

/**
 * Returns the id in postmaster.pid if that process lives and really serves this cluster, because process ids are
 * reused; else undefined, also if the process cannot be inspected.
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
    throw new OperatorFault(
      'O205',
      `The PostgreSQL server of ${cluster} (process ${pid}) is still running and belongs to another user.`,
      'Stop it as that user, or start Pantry as that user.',
      error
    )
  }
}
