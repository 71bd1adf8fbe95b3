import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseStartError } from '../errors.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { giveFolder, readPlainFile, removeFolder } from './plain-file.ts'
import { runNow } from './run-as.ts'

/** Name of the superuser and of the database in the embedded server. */
export const databaseName = 'pantry'

/**
 * Creates the cluster if there is none, and returns whether it did. It is built under another name and renamed at the
 * end, so that an incomplete one is never opened. An existing cluster must have the same major version, because
 * PostgreSQL cannot read another.
 */
export function ensureCluster(cluster: string, { bin, major }: Binaries, account: Account | undefined): boolean {
  if (existsSync(cluster)) {
    const made = readVersion(cluster)
    if (made !== String(major)) {
      throw new DatabaseStartError(
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
    throw new DatabaseStartError(
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
    throw new DatabaseStartError(
      `The database in ${cluster} cannot be read by this user.`,
      'Start Pantry as the user that created it, or as root.',
      error
    )
  }
}
