import { closeSync, constants, fchownSync, lstatSync, openSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import type { Account } from './account.ts'
import { runNow } from './run-as.ts'

/*
 * Pantry may run as root and work in folders of an unprivileged account. There it must not access anything that the
 * account itself could not: it follows no symbolic link, and does as the account whatever can be done as the account.
 */

/** Reads a regular file as text; throws for anything else, also for a symbolic link to one. */
export function readPlainFile(file: string): string {
  // O_NONBLOCK: opening a named pipe would wait for a writer.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** Makes the account the owner of a folder; throws for a symbolic link. */
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
  // If root owns the parent folder, the account cannot remove the emptied folder itself.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(folder)
}
