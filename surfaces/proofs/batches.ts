import { createPublicKey, verify } from 'node:crypto'
import { canonicalize, closed, Count, Hash, hashCanonical, nullable, Text, Type, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { OpenedRow, openedColumns, receiptOf, type ProofReceipt } from './draw.ts'

const KeyId = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Thumbprint of the public key (RFC 7638).' })

/** The signed state of the Merkle tree after a batch; the signature is over its canonical JSON. */
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

/** A head as it is published, with its signature. */
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

/** A declaration of why the chain starts again. Its hash is `previous` of the first head in the new epoch. */
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

/** A public key as a JSON Web Key (RFC 8037). */
export const PublicKey = closed({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Text,
  kid: KeyId,
  use: Type.Literal('sig'),
  alg: Type.Literal('EdDSA')
})

/** Returns the key id: the thumbprint by RFC 7638, a hash of the required members in canonical form. */
export const keyIdOf = (x: string): string =>
  Buffer.from(hashCanonical({ crv: 'Ed25519', kty: 'OKP', x }), 'hex').toString('base64url')

const publicKeyOf = (x: string): DataOf<typeof PublicKey> => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid: keyIdOf(x),
  use: 'sig',
  alg: 'EdDSA'
})

/** Returns the hash by which the next head refers to this one. */
export const chainHashOf = (said: Head | Epoch): string => hashCanonical(said)

/** Whether the key that the head names made the signature. */
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
  chain_hash: chainHash,
  leaf_count: count,
  window_from: from,
  window_to: to,
  ...head
}: DataOf<typeof BatchRow>): Batch => ({
  head: { '@kind': 'proof-head/1', ...head },
  signature,
  chain_hash: chainHash,
  leaf_count: count,
  window_from: from,
  window_to: to
})

type Read = Pick<Database, 'knex' | 'rows'>

/** Reads the batches that the query selects. */
export const readBatches = async (
  { rows, knex }: Read,
  narrowed: (query: Knex.QueryBuilder) => Knex.QueryBuilder
): Promise<readonly Batch[]> =>
  (await rows(BatchRow, narrowed(knex('proof_batches').select(Object.keys(BatchRow.properties))))).map(batchOf)

/** Returns the newest batch of all epochs. */
export const newestOf = async (read: Read): Promise<Batch | undefined> =>
  (await readBatches(read, query => query.orderBy('batch', 'desc').limit(1)))[0]

/** Returns the newest batch of an epoch. */
export const lastOf = async (read: Read, epoch: number): Promise<Batch | undefined> =>
  (await readBatches(read, query => query.where({ epoch }).orderBy('batch', 'desc').limit(1)))[0]

const EpochRow = closed({
  epoch: Count,
  reason: Text,
  declared_at: Text,
  after: Epoch.properties.after,
  lost: Epoch.properties.lost
})

/** Returns all epochs, oldest first. */
export const readEpochs = async ({ rows, knex }: Read): Promise<readonly Epoch[]> =>
  (await rows(EpochRow, knex('proof_epochs').select(Object.keys(EpochRow.properties)).orderBy('epoch'))).map(row => ({
    '@kind': 'proof-epoch/1',
    ...row
  }))

/**
 * Returns the value of `previous` in the next head: the hash of the last head, or of the epoch's declaration if there
 * is none.
 */
export const nextAfter = (epoch: Epoch, last: Batch | undefined): string => chainHashOf(last?.head ?? epoch)

/** Returns the public keys of all heads, newest last. */
export const readKeys = async ({ rows, knex }: Read): Promise<readonly DataOf<typeof PublicKey>[]> =>
  (await rows(closed({ x: Text }), knex('proof_keys').select('x').orderBy('first_used_at').orderBy('key_id'))).map(
    ({ x }) => publicKeyOf(x)
  )

type Leaf = Readonly<{ leaf_index: number; receipt: ProofReceipt }>

const LeafRow = closed({ ...OpenedRow.properties, leaf_index: Count })

/** Returns the receipts of a batch, in the order of the tree. */
export const readLeaves = async ({ rows, knex }: Read, batch: number): Promise<readonly Leaf[]> =>
  (
    await rows(
      LeafRow,
      knex.raw(
        `select ${openedColumns}, d.leaf_index from draws d join draw_rates r on r.digest = d.rates_digest where d.batch = ? order by d.leaf_index`,
        [batch]
      )
    )
  ).map(({ leaf_index: index, ...row }) => ({ leaf_index: index, receipt: receiptOf(row) }))
