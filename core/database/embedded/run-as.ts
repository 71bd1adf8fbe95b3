import { spawnSync } from 'node:child_process'
import type { Account } from './account.ts'

type ProgramOutcome = Readonly<{ ok: boolean; output: string }>

/**
 * Returns the spawn options for a program of the server: its user, a working folder that everyone may enter, and
 * nothing from the caller's environment but PATH.
 */
export function runAs(account: Account | undefined): {
  uid?: number
  gid?: number
  cwd: string
  env: Record<string, string>
} {
  return {
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  }
}

/** Runs a short program and waits for its end. */
export function runNow(program: string, args: readonly string[], account: Account | undefined): ProgramOutcome {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...runAs(account), encoding: 'utf8' })
  return { ok: status === 0, output: error === undefined ? `${stdout}${stderr}`.trim() : error.message }
}

/**
 * Tells whether a user can enter a folder, by trying it as that user: mode bits alone do not show it (access lists,
 * mounts, namespaces).
 */
export const canEnter = (folder: string, account: Account | undefined): boolean =>
  runNow('/bin/sh', ['-c', 'cd "$0"', folder], account).ok
