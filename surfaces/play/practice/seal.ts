import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { secretOf } from '../../common/secrets.ts'
import type { MatchState } from './state.ts'
import type { Store } from '../../common/repository.ts'

/** Earlier versions stored the secret in this file of the data folder. */
export const secretFile = 'practice-secret'
const secretLength = 32

/** Returns the secret of an earlier version, or a new one. */
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
 * Returns the secret for sealing matches. It is stored in the database, so all processes can continue each other's
 * matches. Rejects with `SOURCE_UNAVAILABLE` if the database cannot be reached.
 */
export async function keptSecret(database: Store, folder: string, warn: (message: string) => void): Promise<Buffer> {
  const own = await proposed(folder, warn)
  return Buffer.from(await secretOf(database, 'practice', () => own.toString('base64url')), 'base64url')
}

/** Raised with every change of the form of states; seals of other versions are refused. */
const version = 1
const contract = 'practice-match/1'
const ivLength = 12
const tagLength = 16
const headLength = 1 + ivLength + tagLength
const maxStateBytes = 131_072

type Unsealed = Readonly<{ state: MatchState }> | Readonly<{ problem: string }>

/** Seals a whole match, including hidden cards, into a text that the caller stores. */
export type Seal = Readonly<{
  seal: (state: MatchState) => Promise<string>
  /** Opens a seal of this installation; for any other text, returns the problem to report. */
  unseal: (text: string) => Promise<Unsealed>
}>

/**
 * Creates a seal with AES-256-GCM (NIST SP 800-38D) over the deflated JSON of a state, in base64url: version, 96 random
 * bits, tag, ciphertext. `secret` is called at the first use, and again only if that failed.
 */
export function createSeal(secret: () => Promise<Buffer>): Seal {
  let key: Promise<Buffer> | undefined
  const keyOnce = (): Promise<Buffer> =>
    (key ??= secret()
      .then(bytes => Buffer.from(hkdfSync('sha256', bytes, '', contract, 32)))
      .catch((error: unknown) => {
        key = undefined
        throw error
      }))

  return {
    seal: async state => {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', await keyOnce(), iv).setAAD(Buffer.from([version]))
      const text = Buffer.concat([cipher.update(deflateRawSync(JSON.stringify(state))), cipher.final()])
      return Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    unseal: async text => {
      const bytes = Buffer.from(text, 'base64url')
      // The last character of base64url may contain unused bits, so only the canonical encoding is accepted.
      if (bytes.length <= headLength || bytes.toString('base64url') !== text)
        return { problem: 'It is not a seal of this service, or parts of it are missing.' }
      if (bytes[0] !== version) return { problem: 'It was sealed by another version of the referee.' }
      const decipher = createDecipheriv('aes-256-gcm', await keyOnce(), bytes.subarray(1, 1 + ivLength), {
        authTagLength: tagLength
      })
        .setAAD(Buffer.from([version]))
        .setAuthTag(bytes.subarray(1 + ivLength, headLength))
      try {
        const plain = Buffer.concat([decipher.update(bytes.subarray(headLength)), decipher.final()])
        return {
          state: JSON.parse(inflateRawSync(plain, { maxOutputLength: maxStateBytes }).toString('utf8')) as MatchState
        }
      } catch {
        return { problem: 'It was altered, or sealed by another installation.' }
      }
    }
  }
}
