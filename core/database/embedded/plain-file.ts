import { closeSync, constants, fchownSync, lstatSync, openSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import type { Account } from './account.ts'
import { runNow } from './run-as.ts'

/*
 * Pantry may run as root in folders of an account that is not. What it does there must not lead
 * anywhere that the account could not go by itself: no symbolic link is followed, and what can be done as the account
 * is done as the account.
 */

/** The text of a regular file; throws for everything else, also for a link to one. */
export function readPlainFile(file: string): string {
  // A pipe would be waited for.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** Gives a folder itself to the account, never what a link in its place names. */
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
  // In a folder of root the account cannot remove the emptied folder itself.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(folder)
}
