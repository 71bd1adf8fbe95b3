import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { State } from './state.ts'

/** Changes whenever the form of a state does; a seal of another version is refused. */
const version = 1
const contract = 'practice-match/1'
const ivLength = 12
const tagLength = 16
const headLength = 1 + ivLength + tagLength
const largestState = 131_072

type Unsealed = Readonly<{ state: State }> | Readonly<{ problem: string }>

/** Seals a whole match, hidden cards included, into a text that the caller carries. */
export type Seal = Readonly<{
  seal: (state: State) => Promise<string>
  /** Only what this installation sealed comes back; everything else is a problem to tell the caller. */
  unseal: (text: string) => Promise<Unsealed>
}>

/**
 * AES-256-GCM (NIST SP 800-38D) over the deflated JSON of a state, in base64url: version, 96 random bits, tag, text.
 * `secret` is asked for once, at the first use, and again where that failed.
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
      // The last letter of base64url may hold bits without a meaning: only the one canonical text of these bytes is
      // taken.
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
        return { state: JSON.parse(inflateRawSync(plain, { maxOutputLength: largestState }).toString('utf8')) as State }
      } catch {
        return { problem: 'It was altered, or sealed by another installation.' }
      }
    }
  }
}
