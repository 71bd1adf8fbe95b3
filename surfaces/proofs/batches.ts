import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  canonicalize,
  closed,
  compileSchema,
  Count,
  Hash,
  hashCanonical,
  nullable,
  Text,
  Type,
  type DataOf
} from 'pantry/data'
import type { Knex } from 'pantry/database'
import { OpenedRow, receiptOf, selectOpened } from './draw.ts'
import type { ProofsDatabase } from './merkle.ts'

const KeyId = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Thumbprint of the public key (RFC 7638).' })

/** The state of the Merkle tree after a batch; its canonical JSON is signed. */
export const Head = closed(
  {
    '@kind': Type.Literal('proof-head/1'),
    epoch: Count,
    batch: Count,
    tree_size: Count,
    root: Hash,
    previous: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Hash of the canonical JSON of the head before, or of the declaration of the epoch.'
    }),
    signed_at: Text,
    key_id: KeyId
  },
  { title: 'SignedHead' }
)
export type Head = DataOf<typeof Head>

export const Batch = closed(
  {
    head: Head,
    signature: Type.String({ description: 'Ed25519, base64url.' }),
    chain_hash: Hash,
    leaf_count: Count,
    window_from: Text,
    window_to: Text
  },
  { title: 'ProofBatch' }
)
export type Batch = DataOf<typeof Batch>

/**
 * The declaration of an epoch: why the chain starts again. The hash of its canonical JSON is `previous` of the first
 * head in the epoch.
 */
export const Epoch = closed(
  {
    '@kind': Type.Literal('proof-epoch/1'),
    epoch: Count,
    reason: Text,
    declared_at: Text,
    after: nullable(Hash, 'Chain hash of the last head before it that is held.'),
    lost: nullable(Hash, 'Chain hash of a signed head that is not held any more.')
  },
  { title: 'ProofEpoch' }
)
export type Epoch = DataOf<typeof Epoch>

/** A public key as a JWK (RFC 8037). */
export const PublicKey = closed({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Text,
  kid: KeyId,
  use: Type.Literal('sig'),
  alg: Type.Literal('EdDSA')
})

/** Returns the thumbprint of the public key `x` (RFC 7638): a hash of the required members in canonical form. */
export const keyIdOf = (x: string): string =>
  Buffer.from(hashCanonical({ crv: 'Ed25519', kty: 'OKP', x }), 'hex').toString('base64url')

/** Returns the hash by which the next head refers to this document. */
export const chainHashOf = (document: Head | Epoch): string => hashCanonical(document)

/**
 * Reads a batch from a file: `undefined` if there is no file, `null` if it has other JSON. Throws if it has no JSON.
 */
export async function readHeadFile(file: string): Promise<Batch | null | undefined> {
  const text = await readIfExists(file)
  if (text === undefined) return undefined
  const value = JSON.parse(text) as Batch
  return compileSchema(Batch)(value).length === 0 ? value : null
}

export const readIfExists = async (file: string): Promise<string | undefined> =>
  await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })

/** Whether `x` is the key that the head names, and made the signature. */
export function isSigned(head: Head, signature: string, x: string): boolean {
  try {
    const bytes = Buffer.from(signature, 'base64url')
    // The last bits of base64url may be ignored by the decoder, so other spellings of the signature are rejected.
    return (
      keyIdOf(x) === head.key_id &&
      bytes.toString('base64url') === signature &&
      verify(
        null,
        Buffer.from(canonicalize(head)),
        createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
        bytes
      )
    )
  } catch {
    return false
  }
}

const BatchRow = closed({
  batch: Count,
  epoch: Count,
  tree_size: Count,
  root: Text,
  previous: Text,
  signed_at: Text,
  key_id: Text,
  signature: Text,
  chain_hash: Text,
  leaf_count: Count,
  window_from: Text,
  window_to: Text
})

const batchOf = ({
  signature,
  chain_hash,
  leaf_count,
  window_from,
  window_to,
  ...head
}: DataOf<typeof BatchRow>): Batch => ({
  head: { '@kind': 'proof-head/1', ...head },
  signature,
  chain_hash,
  leaf_count,
  window_from,
  window_to
})

export const readBatches = async (
  { rows, knex }: ProofsDatabase,
  narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder
): Promise<readonly Batch[]> =>
  (await rows(BatchRow, narrow(knex('proof_batches').select(Object.keys(BatchRow.properties))))).map(batchOf)

/** Returns the newest batch of all epochs. */
export const newestOf = async (read: ProofsDatabase): Promise<Batch | undefined> =>
  (await readBatches(read, query => query.orderBy('batch', 'desc').limit(1)))[0]

export const lastOf = async (read: ProofsDatabase, epoch: number): Promise<Batch | undefined> =>
  (await readBatches(read, query => query.where({ epoch }).orderBy('batch', 'desc').limit(1)))[0]

const { epoch, reason, declared_at, after, lost } = Epoch.properties
const EpochRow = closed({ epoch, reason, declared_at, after, lost })

/** Returns all epochs, oldest first. */
export const readEpochs = async ({ rows, knex }: ProofsDatabase): Promise<readonly Epoch[]> =>
  (await rows(EpochRow, knex('proof_epochs').select(Object.keys(EpochRow.properties)).orderBy('epoch'))).map(row => ({
    '@kind': 'proof-epoch/1',
    ...row
  }))

/** Returns `previous` of the next head: the hash of the last head, or of the declaration of the epoch. */
export const nextAfter = (epoch: Epoch, last: Batch | undefined): string => chainHashOf(last?.head ?? epoch)

/** Returns the public keys of all heads, by their first use, the newest last. */
export const readKeys = async ({ rows, knex }: ProofsDatabase): Promise<readonly DataOf<typeof PublicKey>[]> =>
  (await rows(closed({ x: Text }), knex('proof_keys').select('x').orderBy('first_used_at').orderBy('key_id'))).map(
    ({ x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid: keyIdOf(x), use: 'sig', alg: 'EdDSA' })
  )

const LeafRow = closed({ ...OpenedRow.properties, leaf_index: Count })

/** Returns the receipts of a batch, in the order of the tree. */
export const readLeaves = async ({ rows, knex }: ProofsDatabase, batch: number) =>
  (
    await rows(LeafRow, knex.raw(`${selectOpened(', d.leaf_index')} where d.batch = ? order by d.leaf_index`, [batch]))
  ).map(({ leaf_index: index, ...row }) => ({ leaf_index: index, receipt: receiptOf(row) }))
