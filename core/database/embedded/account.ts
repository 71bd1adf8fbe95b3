import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseStartError } from '../errors.ts'

/** The user a program runs as. */
export type Account = Readonly<{ uid: number; gid: number; name: string }>

/** Users to prefer, in this order, over other users of the machine. */
const preferred = ['postgres', 'nobody']

/**
 * Returns the unprivileged user that runs PostgreSQL if Pantry runs as root, because PostgreSQL refuses to run as root:
 * the owner of an existing cluster, else the owner of the data folder or of its parent, else `postgres`, `nobody` or
 * the first other user. No user is created. Returns `undefined` if Pantry does not run as root.
 */
export function serverAccount(dataDir: string, cluster: string | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readUsers().filter(({ uid }) => uid > 0)
  if (cluster !== undefined) {
    const { uid, gid } = statSync(cluster)
    // For example a copy, or an archive that root has unpacked.
    if (uid === 0)
      throw new DatabaseStartError(
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
    throw new DatabaseStartError(
      'PostgreSQL refuses to run as root, and this machine lists no other user.',
      'Run Pantry as an ordinary user, or set DATABASE_URL.'
    )
  return account
}

/** Reads the users from /etc/passwd, see passwd(5): name:password:uid:gid:… */
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
