import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseStartError } from '../errors.ts'

/** The user a program runs as. */
export type Account = Readonly<{ uid: number; gid: number; name: string }>

/** In this order, before any other user of the machine. */
const preferred = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root. When Pantry does, this names an existing unprivileged user for it: the owner of
 * the cluster if there is one already, else the owner of the data folder or of the folder around it, else `postgres`,
 * `nobody` or whoever comes first. None is created. `undefined` when not root.
 */
export function serverAccount(dataDir: string, cluster: string | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readUsers().filter(({ uid }) => uid > 0)
  if (cluster !== undefined) {
    const { uid, gid } = statSync(cluster)
    // A copy or an archive unpacked by root.
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

/** passwd(5): name:password:uid:gid:… */
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
