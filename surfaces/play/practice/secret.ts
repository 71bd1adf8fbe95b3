import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from 'pantry/database'
import { secretOf } from '../../secrets.ts'

/** The file in the data folder in which earlier versions stored the secret. */
export const secretFile = 'practice-secret'
const secretLength = 32

/** Returns the secret of an earlier version, or a new one. Calls `warn` when the file has other content. */
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
 * Returns the secret for sealing practice matches. It is stored in the database, so all processes share it and can
 * continue each other's matches. Rejects with `SOURCE_UNAVAILABLE` when the database is unavailable.
 */
export async function keptSecret(
  database: Pick<Database, 'knex' | 'rows'>,
  folder: string,
  warn: (message: string) => void
): Promise<Buffer> {
  const own = await proposed(folder, warn)
  return Buffer.from(await secretOf(database, 'practice', () => own.toString('base64url')), 'base64url')
}
