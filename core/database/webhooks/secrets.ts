import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorFault } from '../fault.ts'

/** The file in the data folder whose key secrets are encrypted with. A backup has it; the database does not. */
const keyFile = 'webhooks-key'
const keyBytes = 32

const prefix = 'whsec_'

/** Returns a secret in the form of Standard Webhooks: 32 random bytes in base64 after `whsec_`. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64')

/** Returns the value of `webhook-signature` (Standard Webhooks, symmetric): HMAC-SHA256 over `id.timestamp.body`. */
export const signatureOf = (secret: string, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

/** Returns the fault of a secret that was encrypted with the key of another data folder. */
const otherKey = (): OperatorFault =>
  new OperatorFault(
    'O407',
    'The secret of a webhook was encrypted with another key.',
    `Copy the file \`${keyFile}\` of the data folder in which the endpoints were added.`
  )

async function readKey(file: string): Promise<Buffer | undefined> {
  const key = await readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (key !== undefined && key.length !== keyBytes) throw otherKey()
  return key
}

/** Returns the key of the data folder. The first process makes it, in one step, so that no other reads a part of it. */
async function keyOf(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, keyFile)
  const known = await readKey(file)
  if (known !== undefined) return known
  await mkdir(dataDir, { recursive: true })
  const made = `${file}.${randomBytes(8).toString('hex')}`
  await writeFile(made, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' })
  try {
    await link(made, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    })
  } finally {
    await rm(made, { force: true })
  }
  return (await readKey(file)) ?? (await keyOf(dataDir))
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Encrypts the secret of an endpoint; it can be decrypted for that endpoint alone. */
export async function encrypt(dataDir: string, endpoint: string, secret: string): Promise<string> {
  const iv = randomBytes(ivBytes)
  const encryption = createCipheriv(cipher, await keyOf(dataDir), iv).setAAD(Buffer.from(endpoint))
  const text = Buffer.concat([encryption.update(secret, 'utf8'), encryption.final()])
  return Buffer.concat([iv, encryption.getAuthTag(), text]).toString('base64')
}

/** Decrypts the secret of an endpoint. Throws the fault O407 if the key is another one. */
export async function decrypt(dataDir: string, endpoint: string, encrypted: string): Promise<string> {
  const bytes = Buffer.from(encrypted, 'base64')
  const decryption = createDecipheriv(cipher, await keyOf(dataDir), bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes
  })
    .setAAD(Buffer.from(endpoint))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    return Buffer.concat([decryption.update(bytes.subarray(ivBytes + tagBytes)), decryption.final()]).toString()
  } catch {
    throw otherKey()
  }
}
