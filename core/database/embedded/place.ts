import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseStartError } from '../errors.ts'
import type { Account } from './account.ts'
import { folderKey } from './lock.ts'
import { giveFolder } from './plain-file.ts'
import { canEnter } from './run-as.ts'

/** Kept across restarts of the machine; only used by root. */
const durable = ['/var/lib/pantry', '/var/tmp/pantry']

/** The length of a socket address: 104 bytes on macOS, 108 on Linux, both with a closing NUL. */
const longestSocketPath = 103
const socketName = '/.s.PGSQL.5432'

const socketFolderName = (dataDir: string): string => `pantry-server-${folderKey(dataDir)}`

/** True for the socket of a server that Pantry started, which therefore has the lock of its cluster. */
export const isSocketFolder = (folder: string): boolean => /^pantry-server-[0-9a-f]{16}$/.test(basename(folder))

const clusterIn = (folder: string): string => join(folder, 'postgres')

/** True for a folder that only root or this user can have made, and that no other user can write to. */
function isTrusted(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && [0, process.getuid?.()].includes(found.uid) && (found.mode & 0o022) === 0
}

/**
 * The cluster that a data folder has already, wherever it was put. In a durable place one that another account made is
 * not ours. Throws `DatabaseStartError` for one in the data folder that root cannot trust.
 */
export function existingCluster(dataDir: string): string | undefined {
  const own = durable
    .filter(folder => isTrusted(folder))
    .map(folder => join(folder, folderKey(dataDir)))
    .filter(folder => isTrusted(folder))
  const cluster = [dataDir, ...own]
    .map(clusterIn)
    .find(cluster => lstatSync(cluster, { throwIfNoEntry: false }) !== undefined)
  if (cluster !== undefined && process.getuid?.() === 0) refuseStrange(cluster)
  return cluster
}

/** Root runs the server as the owner of the cluster. So the folder around it must not let others put one there. */
function refuseStrange(cluster: string): void {
  const [found, around] = [lstatSync(cluster), lstatSync(dirname(cluster))]
  if (!found.isDirectory()) {
    throw new DatabaseStartError(
      `${cluster} is not a folder. As root, Pantry does not follow a symbolic link here.`,
      'Set PANTRY_DATA_DIR to the folder that holds the cluster itself, or start Pantry as the user that owns it.'
    )
  }
  if (found.uid !== around.uid && (around.mode & 0o022) !== 0) {
    throw new DatabaseStartError(
      `${cluster} belongs to uid ${found.uid}, and anyone could have put it there: others can write to ${dirname(cluster)}.`,
      'Set PANTRY_DATA_DIR to a folder that only its owner can write to, or start Pantry as the owner of the cluster.'
    )
  }
}

/** A root-owned folder that every user can enter. */
export function durableFolder(): string {
  for (const folder of durable) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      if (lstatSync(folder).isDirectory() && lstatSync(folder).uid === process.getuid?.()) return folder
    } catch {
      // The next one may be writable.
    }
  }
  throw new DatabaseStartError(
    `Neither ${durable.join(' nor ')} can be created.`,
    'Run Pantry as an ordinary user, or set PANTRY_DATA_DIR to a folder that every user can enter.'
  )
}

/**
 * Where a new cluster goes: into the data folder, or into a durable place when the server's user cannot enter it.
 * Throws `DatabaseStartError` where the next start could not trust what this one makes.
 */
export function newCluster(dataDir: string, account: Account | undefined): string {
  const { uid, mode } = lstatSync(dataDir)
  if (account !== undefined && account.uid !== uid && (mode & 0o022) !== 0) {
    throw new DatabaseStartError(
      `Others can write to ${dataDir}, so as root Pantry puts no database there.`,
      'Set PANTRY_DATA_DIR to a folder that only its owner can write to, or start Pantry as an ordinary user.'
    )
  }
  return clusterIn(
    account === undefined || canEnter(dataDir, account) ? dataDir : join(durableFolder(), folderKey(dataDir))
  )
}

/** A folder that only the server's user can enter, created if needed. */
function privateFolder(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = lstatSync(folder)
  const uid = account?.uid ?? process.getuid?.()
  if (owner.isDirectory() && (owner.mode & 0o077) === 0) {
    if (owner.uid === uid) return
    if (account !== undefined && owner.uid === 0) {
      giveFolder(folder, account)
      return
    }
  }
  throw new DatabaseStartError(
    `${folder} belongs to someone else, or others can enter it.`,
    `Remove ${folder}, or start Pantry as its owner.`
  )
}

/** The folder of the server's socket: short enough for a socket address, named after the data folder. */
export function socketFolder(dataDir: string, account: Account | undefined): string {
  const base = [tmpdir(), '/tmp'].find(
    folder =>
      Buffer.byteLength(join(folder, `${socketFolderName(dataDir)}${socketName}`)) <= longestSocketPath &&
      canEnter(folder, account)
  )
  if (base === undefined)
    throw new DatabaseStartError("There is no folder for the server's socket.", 'Make /tmp usable by every user.')
  const folder = join(base, socketFolderName(dataDir))
  privateFolder(folder, account)
  return folder
}
