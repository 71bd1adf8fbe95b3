import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalize, compileSchema } from 'pantry/data'
import { Batch, keyIdOf, type Head } from './head.ts'

/** The file with the key pair. Only its owner can read it, so backups include it. */
const keyFile = 'proofs-key'
/**
 * The file with the last head that this installation saw. Everyone can read it, so backups leave it out and a restore
 * cannot replace it by an older one.
 */
const headFile = 'proofs-head'

const textOf = async (file: string): Promise<string | undefined> =>
  await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })

type Signer = Readonly<{ x: string; keyId: string; sign: (head: Head) => string }>

const isBatch = (value: unknown): value is Batch => compileSchema(Batch)(value).length === 0

/**
 * The files of the proof chain in the data folder, outside the database. All processes of an installation share them.
 */
export class OwnFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns a signer with the key in the folder; creates the key if there is none. */
  async signer(): Promise<Signer> {
    const file = join(this.#folder, keyFile)
    const key: KeyObject = createPrivateKey((await textOf(file)) ?? (await this.#newKey(file)))
    const x = createPublicKey(key).export({ format: 'jwk' }).x ?? ''
    return {
      x,
      keyId: keyIdOf(x),
      sign: head => sign(null, Buffer.from(canonicalize(head)), key).toString('base64url')
    }
  }

  async #newKey(file: string): Promise<string> {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' }
    })
    const part = `${file}.${randomUUID()}`
    await mkdir(this.#folder, { recursive: true })
    await writeFile(part, privateKey, { mode: 0o600, flag: 'wx' })
    // If two processes create the key at once, `link` succeeds for only one of them, and both read that key.
    await link(part, file)
      .catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      })
      .finally(() => rm(part))
    return await readFile(file, 'utf8')
  }

  async lastHead(): Promise<Batch | undefined> {
    const text = await textOf(join(this.#folder, headFile))
    if (text === undefined) return undefined
    const value: unknown = JSON.parse(text)
    if (!isBatch(value)) throw new Error(`\`${headFile}\` holds no signed head.`)
    return value
  }

  async remember(batch: Batch): Promise<void> {
    const file = join(this.#folder, headFile)
    const part = `${file}.${randomUUID()}`
    await writeFile(part, `${canonicalize(batch)}\n`, { mode: 0o644 })
    await rename(part, file)
  }
}
