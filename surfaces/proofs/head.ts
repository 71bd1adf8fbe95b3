import { createPublicKey, verify } from 'node:crypto'
import { canonicalize, closed, Count, Hash, hashCanonical, nullable, Text, Type, type DataOf } from 'pantry/data'

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

export const publicKeyOf = (x: string): DataOf<typeof PublicKey> => ({
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
