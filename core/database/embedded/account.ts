import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorFault } from '../fault.ts'

/** A user of the machine, as whom a program can run. */
export type Account = Readonly<{ uid: number; gid: number; name: string }>

/** Names of the users that run PostgreSQL if no owner of a folder can, in this order, before any other user. */
const preferred = ['postgres', 'nobody']

/**
 * Returns the unprivileged user that runs PostgreSQL if Pantry runs as root, because PostgreSQL refuses to run as root:
 * the owner of an existing cluster, else the owner of the data folder or of its parent, else `postgres`, `nobody` or
 * the first other user; undefined if Pantry does not run as root. Throws OperatorFault if root owns the cluster,
 * or the machine has no other user.
 */
export function serverAccount(dataDir: string, cluster: string | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readUsers().filter(({ uid }) => uid > 0)
  if (cluster !== undefined) {
    const { uid, gid } = statSync(cluster)
    // The cluster may be a copy, or from an archive that root has unpacked.
    if (uid === 0)
      throw new OperatorFault(
        'O203',
        `${cluster} belongs to root, and PostgreSQL refuses to run as root.`,
        `Give it to an ordinary user: \`chown -R <user> ${cluster}\`.`
      )
    return users.find(user => user.uid === uid) ?? { uid, gid, name: `uid ${uid}` }
  }
  const owners = [dataDir, dirname(dataDir)].map(folder => statSync(folder).uid)
  const account =
    users.find(({ uid }) => owners.includes(uid)) ??
    preferred.map(name => users.find(user => user.name === name)).find(user => user !== undefined) ??
    users[0]
  if (account === undefined)
    throw new OperatorFault(
      'O203',
      'PostgreSQL refuses to run as root, and this machine lists no other user.',
      'Run Pantry as an ordinary user, or set DATABASE_URL.'
    )
  return account
}

/** Reads the users of the machine from /etc/passwd, see passwd(5): name:password:uid:gid:… */
function readUsers(): readonly Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .flatMap(line => {
      const [name, , uid, gid] = line.split(':')
      return name && /^\d+$/.test(uid ?? '') && /^\d+$/.test(gid ?? '')
        ? [{ name, uid: Number(uid), gid: Number(gid) }]
        : []
    })
}

type ProgramOutcome = Readonly<{ ok: boolean; output: string }>

/**
 * Returns the spawn options for a program of the server: its user, a working folder that everyone may enter, and an
 * environment with PATH, the locale C and the time zone UTC only.
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

/** Runs a short program, waits for its end, and returns whether it succeeded and what it wrote. */
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
