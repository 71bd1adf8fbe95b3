import { canonicalize, closed, Count, Hash, Text, Texts, Type, type DataOf } from 'pantry/data'
import { idPattern } from '../ids.ts'
import { commitmentOf, draw, type DrawRates } from './draw.ts'
import { leafHash } from './merkle.ts'

/** The id of a draw. */
export const DrawId = Type.String({ pattern: idPattern, description: 'Id of a draw, as its beginning answered it.' })
export const Seed = Type.String({
  pattern: '^[0-9a-f]{64}$',
  minLength: 64,
  maxLength: 64,
  description: '32 bytes, as 64 lowercase hexadecimal digits.'
})
export const Result = closed({ pack: Text, rarities: Texts }, 'The kind of pack, and a rarity for each of its places.')

/**
 * Everything that determines a draw. Its canonical JSON (RFC 8785) is the leaf in the tree. It contains nothing about
 * persons.
 */
export const ProofReceipt = closed(
  {
    '@kind': Type.Literal('draw-receipt/1'),
    id: DrawId,
    game: Text,
    set: Text,
    rates_digest: Hash,
    nonce: Count,
    commitment: Hash,
    server_seed: Seed,
    client_seed: Seed,
    result: Result,
    begun_at: Text,
    opened_at: Text
  },
  { title: 'DrawReceipt' }
)
export type ProofReceipt = DataOf<typeof ProofReceipt>

/** A database row of an opened draw. */
export const OpenedRow = closed({
  id: Text,
  nonce: Count,
  game: Text,
  set: Text,
  rates_digest: Text,
  commitment: Text,
  server_seed: Text,
  client_seed: Text,
  result: Result,
  begun_at: Text,
  opened_at: Text
})

/** The SQL columns of such a row, from `draws` as d and `draw_rates` as r. */
export const openedColumns =
  "d.id, d.nonce, r.rates ->> 'game' as game, r.rates ->> 'set' as set, d.rates_digest, d.commitment, d.server_seed, d.client_seed, d.result, d.begun_at, d.opened_at"

export const receiptOf = (row: DataOf<typeof OpenedRow>): ProofReceipt => ({ '@kind': 'draw-receipt/1', ...row })

/** Returns the leaf hash of a receipt. */
export const hashOfReceipt = (receipt: ProofReceipt): string => leafHash(canonicalize(receipt))

/** Checks the commitment and the result of a receipt. The caller has already compared the digest of the rates. */
export const checkReceipt = (receipt: ProofReceipt, rates: DrawRates) => ({
  commitment: commitmentOf(receipt.server_seed) === receipt.commitment,
  result: canonicalize(draw(rates, receipt)) === canonicalize(receipt.result)
})
