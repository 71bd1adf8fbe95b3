import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, constants, fchownSync, lstatSync, openSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperatorFault } from '../fault.ts'
import { codeOf } from '../errors.ts'
import { runNow, type Account } from './account.ts'

/*
 * Pantry may run as root and work in folders of an unprivileged account. There it must not access anything that the
 * account itself could not: it follows no symbolic link, and does as the account whatever can be done as the account.
 */

/**
 * Reads a file as text. Throws for a folder or a symbolic link; a named pipe that nobody writes to is an empty file.
 */
export function readPlainFile(file: string): string {
  // O_NONBLOCK: opening a named pipe, which somebody may have put in place of the file, would wait for a writer.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** Makes the account the owner of a folder. Throws for a symbolic link. */
export function giveFolder(folder: string, account: Account): void {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchownSync(fd, account.uid, account.gid)
  } finally {
    closeSync(fd)
  }
}

export function removeFile(file: string, account: Account | undefined): void {
  if (account === undefined) rmSync(file, { force: true })
  else runNow('/bin/rm', ['-f', '--', file], account)
}

export function removeFolder(folder: string, account: Account | undefined): void {
  if (account === undefined) {
    rmSync(folder, { recursive: true, force: true })
    return
  }
  runNow('/bin/rm', ['-rf', '--', folder], account)
  // If root owns the parent folder, the account can only empty the folder, so it is removed as root.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(folder)
}

export type FileLock = Readonly<{
  /** File descriptor of the lock. A process that inherits it also holds the lock until it ends. */
  fd: number
  release: () => void
}>

/**
 * Programs that lock a file, because Node has no flock(2). The lock belongs to the open file, not to a process: a
 * program locks the descriptor that it inherits and ends, and this process keeps the lock. util-linux and busybox
 * contain `flock`; macOS and small images have `perl`. Both programs exit with 1 if another process has locked the
 * file.
 */
const programs = [
  ['flock', '-xn', '3'],
  ['perl', '-e', 'open(my $file, "+<&=3") or exit 2; exit(flock($file, 6) ? 0 : $!{EWOULDBLOCK} ? 1 : 2)']
] as const

/**
 * Locks a file for this process; returns `undefined` if another process holds the lock, and throws OperatorFault
 * if the file cannot be opened or locked, or is a symbolic link. The kernel keeps the lock, so it works in every
 * namespace and under every path of the file, and is released when the last process that holds it ends in any way.
 */
export const lockFile = (file: string): FileLock | undefined =>
  lockOpened(
    file,
    open(file, () => undefined)
  )

/**
 * Like `lockFile`, but creates the file if it is missing. It then belongs to `account`, because that user may start
 * Pantry itself later.
 */
const lockNewFile = (file: string, account: Account | undefined): FileLock | undefined =>
  lockOpened(
    file,
    open(file, () => make(file, account))
  )

function lockOpened(file: string, fd: number): FileLock | undefined {
  const release = (): void => {
    closeSync(fd)
  }
  try {
    if (take(fd, file)) return { fd, release }
  } catch (error) {
    release()
    throw error
  }
  release()
  return undefined
}

function open(file: string, made: () => number | undefined): number {
  try {
    return made() ?? openSync(file, constants.O_RDWR | constants.O_NOFOLLOW)
  } catch (error) {
    throw new OperatorFault(
      'O204',
      `${file} cannot be opened: ${codeOf(error) || String(error)}.`,
      'Start Pantry as the user that owns the folder, or set PANTRY_DATA_DIR to a folder that can be written. A symbolic link is not followed here.',
      error
    )
  }
}

/** Creates a file for `owner` and opens it; returns `undefined` if it exists already. */
function make(file: string, owner: Account | undefined): number | undefined {
  try {
    const fd = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
    if (owner !== undefined) fchownSync(fd, owner.uid, owner.gid)
    return fd
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
}

function take(fd: number, file: string): boolean {
  const problems: string[] = []
  for (const [program, ...args] of programs) {
    const { status, stderr, error } = spawnSync(program, args, {
      stdio: ['ignore', 'ignore', 'pipe', fd],
      encoding: 'utf8'
    })
    if (status === 0 || status === 1) return status === 0
    problems.push(error?.message ?? `${program}: ${stderr.trim() || `exit code ${String(status)}`}`)
  }
  throw new OperatorFault(
    'O208',
    `${file} cannot be locked: ${problems.join('; ')}.`,
    'Install `flock` (util-linux) or `perl`, use a file system that has locks, or set DATABASE_URL.'
  )
}

type Lock = Readonly<{ release: () => Promise<void> }>

/**
 * Who holds the lock of a folder: the id of a process, `unknown` for a process of this machine that does not report its
 * id, or `elsewhere` for a process that cannot be asked.
 */
type Holder = number | 'unknown' | 'elsewhere'

/** Returns a short name for a folder, for paths of limited length. */
export const folderKey = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16)

/**
 * Locks a folder for this process, or returns who holds it. The socket name, taken first, tells who holds the folder,
 * and works on file systems that do not really lock; the file lock works in every namespace and under every path of the
 * folder.
 */
export async function takeLock(folder: string, account: Account | undefined): Promise<Lock | { heldBy: Holder }> {
  const name = await takeName(folder)
  if ('heldBy' in name) return name
  try {
    const file = lockNewFile(join(folder, 'lock'), account)
    if (file !== undefined)
      return {
        release: async () => {
          file.release()
          await name.release()
        }
      }
  } catch (error) {
    await name.release()
    throw error
  }
  await name.release()
  return { heldBy: 'elsewhere' }
}

/**
 * Returns the socket address for a folder: on Linux an abstract name, which vanishes when the process that listens ends
 * in any way; elsewhere a socket file.
 */
const address = (folder: string): string =>
  process.platform === 'linux' ? `\0pantry-${folderKey(folder)}` : join(tmpdir(), `pantry-${folderKey(folder)}.lock`)

/**
 * Takes the socket name of a folder by listening on it, or returns who listens. The listener sends its process id to
 * every client that connects.
 */
async function takeName(folder: string): Promise<Lock | { heldBy: number | 'unknown' }> {
  const place = address(folder)
  for (let attempt = 0; ; attempt += 1) {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.end(String(process.pid))
    })
    if (await listen(server, place)) {
      server.unref()
      return {
        release: () =>
          new Promise(resolve => {
            server.close(() => {
              resolve()
            })
          })
      }
    }
    const holder = await lockHolder(folder)
    if (holder !== undefined) return { heldBy: holder }
    // Nobody listens: the holder left a socket file behind, or has just ended.
    if (attempt === 3) return { heldBy: 'unknown' }
    if (!place.startsWith('\0')) rmSync(place, { force: true })
  }
}

/**
 * Returns the id of the process that listens on the socket name of a folder; `unknown` if it does not report its id,
 * `undefined` if none listens.
 */
export function lockHolder(folder: string): Promise<number | 'unknown' | undefined> {
  return new Promise(resolve => {
    const socket = connect(address(folder))
    let text = ''
    socket.setTimeout(3_000, () => {
      socket.destroy()
      resolve('unknown')
    })
    socket.on('data', chunk => {
      text += chunk.toString()
    })
    socket.on('end', () => {
      resolve(/^\d+$/.test(text) ? Number(text) : 'unknown')
    })
    socket.on('error', () => {
      resolve(undefined)
    })
  })
}

function listen(server: Server, place: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(place, () => {
      resolve(true)
    })
  })
}
