import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from 'pantry/database'
import { secretOf } from '../../secrets.ts'

/** Where earlier versions kept the secret, in the data folder. */
export const secretFile = 'practice-secret'
const secretLength = 32

/** The secret of an earlier version, or a new one. `warn` is called for a file that holds something else. */
async function proposed(folder: string, warn: (message: string) => void): Promise<Buffer> {
  const path = join(folder, secretFile)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      warn(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  })
  const secret = Buffer.from(text?.trim() ?? '', 'base64url')
  if (secret.length === secretLength) return secret
  if (text !== undefined) warn(`${path} does not hold ${secretLength} bytes in base64url, so it is not used.`)
  return randomBytes(secretLength)
}

/**
 * The secret that seals practice matches, the same for all processes over one database: whoever asks first puts it
 * there, and a match that was begun at one goes on at the others. Rejects with `SOURCE_UNAVAILABLE` while the database
 * is away.
 */
export async function keptSecret(
  database: Pick<Database, 'knex' | 'rows'>,
  folder: string,
  warn: (message: string) => void
): Promise<Buffer> {
  const own = await proposed(folder, warn)
  return Buffer.from(await secretOf(database, 'practice', () => own.toString('base64url')), 'base64url')
}
