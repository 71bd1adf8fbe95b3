import { closeSync, constants, fchownSync, openSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { codeOf, DatabaseStartError } from '../errors.ts'
import type { Account } from './account.ts'

export type FileLock = Readonly<{
  /** File descriptor of the lock. A process that inherits it holds the lock too, as long as the process lives. */
  fd: number
  release: () => void
}>

/**
 * Programs that lock a file, because Node has no flock(2). The lock belongs to the open file, not to a process: a
 * program locks the descriptor that it inherits and ends, and this process keeps the lock. util-linux and busybox
 * contain `flock`; macOS and small images have `perl`. Both exit with 1 if the file is locked already.
 */
const programs = [
  ['flock', '-xn', '3'],
  ['perl', '-e', 'open(my $file, "+<&=3") or exit 2; exit(flock($file, 6) ? 0 : $!{EWOULDBLOCK} ? 1 : 2)']
] as const

/**
 * Locks a file for this process; returns `undefined` if another process holds the lock. The kernel keeps the lock, so
 * it works in every namespace and under every path of the file, and ends with the last process that holds it, in
 * whatever way that ends. Does not follow a symbolic link.
 */
export const lockFile = (file: string): FileLock | undefined =>
  lockOpened(
    file,
    open(file, () => undefined)
  )

/**
 * Like `lockFile`, but creates the file if it is missing, owned by `account`, because that user may start Pantry itself
 * later.
 */
export const lockNewFile = (file: string, account: Account | undefined): FileLock | undefined =>
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
    throw new DatabaseStartError(
      `${file} cannot be opened: ${codeOf(error) || String(error)}.`,
      'Start Pantry as the user that owns the folder, or set PANTRY_DATA_DIR to a folder that can be written. A symbolic link is not followed here.',
      error
    )
  }
}

/** Creates the file; returns `undefined` if it exists already. */
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
  throw new DatabaseStartError(
    `${file} cannot be locked: ${problems.join('; ')}.`,
    'Install `flock` (util-linux) or `perl`, use a file system that has locks, or set DATABASE_URL.'
  )
}
