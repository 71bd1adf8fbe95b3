import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const secretFile = 'practice-secret'
const secretLength = 32

/** Reads the secret of a folder. Rejects when there is none, or when the file holds something else. */
async function readSecret (path: string): Promise<Buffer> {
  const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url')
  if (secret.length !== secretLength) throw new Error(`${path} does not hold ${secretLength} bytes in base64url.`)
  return secret
}

/**
 * The secret that seals practice matches: made at the first use, for its owner's eyes only, and kept, so that a restart keeps the matches.
 * Processes that start together agree on one, because a link to a finished file fails where there is another. Where the folder cannot be
 * written to, the secret lasts as long as the process, and `warn` is told.
 */
export async function keptSecret (folder: string, warn: (message: string) => void): Promise<Buffer> {
  const path = join(folder, secretFile)
  try {
    return await readSecret(path).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await mkdir(folder, { recursive: true })
      const draft = `${path}.${randomBytes(6).toString('hex')}`
      await writeFile(draft, randomBytes(secretLength).toString('base64url'), { mode: 0o600, flag: 'wx' })
      await link(draft, path).catch((late: unknown) => { if ((late as NodeJS.ErrnoException).code !== 'EEXIST') throw late })
      await rm(draft)
      return await readSecret(path)
    })
  } catch (error) {
    warn(`Practice matches will end with this process: ${error instanceof Error ? error.message : String(error)}`)
    return randomBytes(secretLength)
  }
}
