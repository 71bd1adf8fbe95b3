import { existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { OperatorFault } from '../fault.ts'
import { canEnter, runNow, type Account } from './account.ts'
import { folderKey, giveFolder, readPlainFile, removeFolder } from './lock.ts'

/** Durable places: folders that survive a restart of the machine. Only root creates clusters there. */
const durable = ['/var/lib/pantry', '/var/tmp/pantry']

/** Maximum bytes of a socket path, so that it fits macOS (104) and Linux (108), both with a final NUL. */
const maxSocketPathBytes = 103
const socketName = '/.s.PGSQL.5432'

const socketFolderName = (dataDir: string): string => `pantry-server-${folderKey(dataDir)}`

/**
 * Tells whether a socket folder has a name that Pantry gives: its server was started by Pantry, and so holds the lock
 * of the cluster.
 */
export const isSocketFolder = (folder: string): boolean => /^pantry-server-[0-9a-f]{16}$/.test(basename(folder))

const clusterIn = (folder: string): string => join(folder, 'postgres')

/** Tells whether a folder belongs to root or this user and no other user can write to it. */
function isTrusted(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && [0, process.getuid?.()].includes(found.uid) && (found.mode & 0o022) === 0
}

/**
 * Returns the existing cluster of a data folder, in that folder or in a durable place, where folders of users other
 * than root and this user are ignored. Throws `OperatorFault` if this process is root and cannot trust the
 * cluster.
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

/**
 * Throws `OperatorFault` if someone other than its owner may have put the cluster there: root would run the server
 * as the owner of the cluster.
 */
function refuseStrange(cluster: string): void {
  const [found, around] = [lstatSync(cluster), lstatSync(dirname(cluster))]
  if (!found.isDirectory()) {
    throw new OperatorFault(
      'O204',
      `${cluster} is not a folder. As root, Pantry does not follow a symbolic link here.`,
      'Set PANTRY_DATA_DIR to the folder that holds the cluster itself, or start Pantry as the user that owns it.'
    )
  }
  if (found.uid !== around.uid && (around.mode & 0o022) !== 0) {
    throw new OperatorFault(
      'O204',
      `${cluster} belongs to uid ${found.uid}, and anyone could have put it there: others can write to ${dirname(cluster)}.`,
      'Set PANTRY_DATA_DIR to a folder that only its owner can write to, or start Pantry as the owner of the cluster.'
    )
  }
}

/** Returns the first durable place that this process owns, as root; creates it if needed. Every user can enter it. */
export function durableFolder(): string {
  for (const folder of durable) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      if (lstatSync(folder).isDirectory() && lstatSync(folder).uid === process.getuid?.()) return folder
    } catch {
      // The next folder may be writable.
    }
  }
  throw new OperatorFault(
    'O204',
    `Neither ${durable.join(' nor ')} can be created.`,
    'Run Pantry as an ordinary user, or set PANTRY_DATA_DIR to a folder that every user can enter.'
  )
}

/**
 * Returns the path for a new cluster: in the data folder, or in a durable place if the user of the server cannot enter
 * the data folder. Throws `OperatorFault` if the next start could not trust a cluster there.
 */
export function newCluster(dataDir: string, account: Account | undefined): string {
  const { uid, mode } = lstatSync(dataDir)
  if (account !== undefined && account.uid !== uid && (mode & 0o022) !== 0) {
    throw new OperatorFault(
      'O204',
      `Others can write to ${dataDir}, so as root Pantry puts no database there.`,
      'Set PANTRY_DATA_DIR to a folder that only its owner can write to, or start Pantry as an ordinary user.'
    )
  }
  return clusterIn(
    account === undefined || canEnter(dataDir, account) ? dataDir : join(durableFolder(), folderKey(dataDir))
  )
}

/**
 * Creates a folder that only the user of the server can enter, or checks an existing one; throws `OperatorFault`
 * if others can.
 */
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
  throw new OperatorFault(
    'O204',
    `${folder} belongs to someone else, or others can enter it.`,
    `Remove ${folder}, or start Pantry as its owner.`
  )
}

/**
 * Returns the folder of the server's socket, created if needed. Its path is short enough for a socket path, and its
 * name is made from the data folder.
 */
export function socketFolder(dataDir: string, account: Account | undefined): string {
  const base = [tmpdir(), '/tmp'].find(
    folder =>
      Buffer.byteLength(join(folder, `${socketFolderName(dataDir)}${socketName}`)) <= maxSocketPathBytes &&
      canEnter(folder, account)
  )
  if (base === undefined)
    throw new OperatorFault('O204', "There is no folder for the server's socket.", 'Make /tmp usable by every user.')
  const folder = join(base, socketFolderName(dataDir))
  privateFolder(folder, account)
  return folder
}

/** Name of the superuser of the embedded server, and of its database. */
export const databaseName = 'pantry'

/**
 * Creates the cluster if there is none, and returns whether it did. A new cluster is built under another name and
 * renamed at the end, so that an incomplete one is never opened. An existing one must have the same major version as
 * the programs, because PostgreSQL cannot read another.
 */
export function ensureCluster(
  cluster: string,
  { bin, major }: Readonly<{ bin: string; major: number }>,
  account: Account | undefined
): boolean {
  if (existsSync(cluster)) {
    const made = readVersion(cluster)
    if (made !== String(major)) {
      throw new OperatorFault(
        'O206',
        `The database in ${cluster} was made by PostgreSQL ${made}, and the programs are version ${major}.`,
        'Set PANTRY_POSTGRES_BIN to the programs of that version. To change over, `pantry backup` with it, move the folder away and `pantry restore`.'
      )
    }
    return false
  }
  const part = `${cluster}.new`
  removeFolder(part, account)
  mkdirSync(dirname(cluster), { recursive: true })
  mkdirSync(part, { mode: 0o700 })
  if (account !== undefined) giveFolder(part, account)
  const { ok, output } = runNow(
    join(bin, 'initdb'),
    [
      '-D',
      part,
      '-U',
      databaseName,
      '--auth=trust',
      '--data-checksums',
      '--encoding=UTF8',
      '--no-locale',
      '--no-instructions'
    ],
    account
  )
  if (!ok)
    throw new OperatorFault(
      'O207',
      `The database could not be created in ${cluster}: ${output.split('\n').slice(-5).join(' ')}`,
      'Check the space and the permissions of the folder, and that your user is listed in /etc/passwd.'
    )
  renameSync(part, cluster)
  return true
}

function readVersion(cluster: string): string {
  try {
    return readPlainFile(join(cluster, 'PG_VERSION')).trim()
  } catch (error) {
    throw new OperatorFault(
      'O204',
      `The database in ${cluster} cannot be read by this user.`,
      'Start Pantry as the user that created it, or as root.',
      error
    )
  }
}
