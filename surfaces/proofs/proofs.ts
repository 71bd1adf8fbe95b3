import { closed, Count, Hash, invalid, notFound, nullable, Text, Type, type DataOf } from 'pantry/data'
import { AuditReport } from './audit.ts'
import {
  Batch,
  Epoch,
  isSigned,
  lastOf,
  PublicKey,
  readBatches,
  readEpochs,
  readKeys,
  readLeaves,
  type Head
} from './batches.ts'
import type { Chain } from './chain.ts'
import { BoosterRates, checkReceipt, hashOfReceipt, OpenedRow, ProofReceipt, receiptOf, selectOpened } from './draw.ts'
import { Drift } from './fairness.ts'
import { consistencyRanges, hashesOf, inclusionRanges, isIncluded, type ProofsDatabase } from './merkle.ts'

const Checks = closed(
  {
    commitment: Type.Boolean(),
    result: Type.Boolean(),
    inclusion: nullable(Type.Boolean()),
    signature: nullable(Type.Boolean())
  },
  'What the service computed of it just now. Compute it yourself: nobody has to trust this.'
)

export const ReceiptProof = closed({
  '@kind': Type.Literal('draw-receipt-proof'),
  receipt: ProofReceipt,
  leaf_hash: Hash,
  leaf_index: nullable(Count),
  batch: nullable(Count),
  inclusion: nullable(
    Type.Array(Hash, { description: 'Hashes beside the way to the root, the nearest first (RFC 9162 §2.1.3).' })
  ),
  signed: nullable(Batch, 'The newest head of its epoch; null while it waits to be put into the tree.'),
  checks: Checks
})

export const ReceiptProofs = closed({ '@kind': Type.Literal('draw-receipts'), receipts: Type.Array(ReceiptProof) })

/** How many receipts are listed if none is asked for: the newest. */
const newest = 5

export const BatchShown = closed({
  '@kind': Type.Literal('proof-batch'),
  batch: Batch,
  first_leaf: Count,
  leaves: Type.Array(closed({ leaf_index: Count, leaf_hash: Hash, receipt: ProofReceipt }))
})

/** A proof that one tree begins with another. */
export const Consistency = closed({
  '@kind': Type.Literal('proof-consistency'),
  from: Batch,
  to: Batch,
  path: Type.Array(Hash, { description: 'As RFC 9162 §2.1.4 has it.' })
})

export const ChainCounts = closed({
  batches: Count,
  receipts: Count,
  batches_7d: Count,
  receipts_7d: Count,
  batches_24h: Count
})

/** The public keys, with links to everything that is needed to verify the chain. */
export const KeysShown = closed({
  '@kind': Type.Literal('proof-keys'),
  keys: Type.Array(PublicKey),
  _links: closed({
    chain: Text,
    digests: Text,
    digest: Text,
    receipt: Text,
    rates: Text,
    consistency: Text,
    fairness: Text,
    health: Text
  })
})

/** A part of the chain: `batches` and `epochs` have the oldest first. */
export const ChainShown = closed({
  '@kind': Type.Literal('proof-chain'),
  batches: Type.Array(Batch),
  tip: nullable(Batch),
  counts: ChainCounts,
  epochs: Type.Array(Epoch),
  halted: nullable(Text, 'Why the chain does not go on, where it does not.')
})

/** A part of the history of batches: `digests` has the newest first. */
export const DigestsShown = closed({
  '@kind': Type.Literal('proof-digests'),
  digests: Type.Array(Batch),
  count: Count,
  next_before: nullable(Count)
})

export const HealthShown = closed({
  '@kind': Type.Literal('proof-health'),
  all_well: Type.Boolean(),
  halted: nullable(Text),
  tip: nullable(Batch),
  counts: ChainCounts,
  self_audit: AuditReport,
  drift_alerts: Type.Array(Drift)
})

const ProofRow = closed({
  ...OpenedRow.properties,
  batch: nullable(Count),
  leaf_index: nullable(Count),
  epoch: nullable(Count),
  rates: BoosterRates
})

export class Proofs {
  readonly #database: ProofsDatabase
  readonly chain: Chain

  constructor(database: ProofsDatabase, chain: Chain) {
    ;[this.#database, this.chain] = [database, chain]
  }

  /** Returns the public keys of all heads, after new receipts were signed. */
  async keys(): Promise<readonly DataOf<typeof PublicKey>[]> {
    await this.chain.advance()
    return await readKeys(this.#database)
  }

  /**
   * Returns at most `limit` batches: those from the number `from` on, oldest first; else those before the number
   * `before`, or all, newest first.
   */
  async batches({
    from,
    before,
    limit
  }: Readonly<{ from?: number | undefined; before?: number | undefined; limit: number }>): Promise<readonly Batch[]> {
    await this.chain.advance()
    return await readBatches(this.#database, query => {
      if (from !== undefined) return query.where('batch', '>=', from).orderBy('batch').limit(limit)
      return (before === undefined ? query : query.where('batch', '<', before)).orderBy('batch', 'desc').limit(limit)
    })
  }

  async epochs(): Promise<readonly Epoch[]> {
    return await readEpochs(this.#database)
  }

  async tip(): Promise<Batch | null> {
    return (await this.batches({ limit: 1 }))[0] ?? null
  }

  /** Counts batches and receipts up to `tip`: in total, of the last 7 days, and (batches only) of the last 24 hours. */
  async counts(tip: Batch | null): Promise<DataOf<typeof ChainCounts>> {
    const { knex, rows } = this.#database
    const [counts] = await rows(
      ChainCounts,
      knex.raw(
        `select count(*) as batches, coalesce(sum(leaf_count), 0)::int as receipts,
      count(*) filter (where signed_at > now() - interval '7 days') as batches_7d, coalesce(sum(leaf_count) filter (where signed_at > now() - interval '7 days'), 0)::int as receipts_7d,
      count(*) filter (where signed_at > now() - interval '1 day') as batches_24h from proof_batches where batch <= ?`,
        [tip?.head.batch ?? 0]
      )
    )
    if (counts === undefined) throw new Error('A count is a row.')
    return counts
  }

  async batch(number: number): Promise<DataOf<typeof BatchShown>> {
    const batch = await this.#batch(number)
    const leaves = await readLeaves(this.#database, number)
    return {
      '@kind': 'proof-batch',
      batch,
      first_leaf: batch.head.tree_size - batch.leaf_count,
      leaves: leaves.map(leaf => ({ ...leaf, leaf_hash: hashOfReceipt(leaf.receipt) }))
    }
  }

  async #batch(number: number): Promise<Batch> {
    const [batch] = await readBatches(this.#database, query => query.where({ batch: number }))
    if (batch === undefined) throw notFound('batch', String(number))
    return batch
  }

  /** Returns a receipt with its proof. Throws 404 for a draw that was not opened or does not exist. */
  async receipt(id: string): Promise<DataOf<typeof ReceiptProof>> {
    await this.chain.advance()
    const { knex, rows } = this.#database
    const [row] = await rows(
      ProofRow,
      knex.raw(
        `${selectOpened(', d.batch, d.leaf_index, b.epoch, r.rates')} left join proof_batches b on b.batch = d.batch where d.id = ? and d.opened_at is not null`,
        [id]
      )
    )
    if (row === undefined) throw notFound('receipt', id)
    const { batch, leaf_index: index, epoch, rates, ...opened } = row
    const receipt = receiptOf(opened)
    const leaf = hashOfReceipt(receipt)
    const signed = epoch === null ? undefined : await lastOf(this.#database, epoch)
    const basis = { '@kind': 'draw-receipt-proof', receipt, leaf_hash: leaf, leaf_index: index, batch } as const
    if (signed === undefined || index === null)
      return {
        ...basis,
        inclusion: null,
        signed: null,
        checks: { ...checkReceipt(receipt, rates), inclusion: null, signature: null }
      }
    const { tree_size: size, root } = signed.head
    const path = await hashesOf(this.#database, signed.head.epoch, inclusionRanges(index, [0, size]))
    return {
      ...basis,
      inclusion: path,
      signed,
      checks: {
        ...checkReceipt(receipt, rates),
        inclusion: isIncluded({ leaf, index, size, path, root }),
        signature: await this.#isSigned(signed.head, signed.signature)
      }
    }
  }

  /** Returns one receipt with its proof, or the newest. */
  async receipts(id?: string): Promise<readonly DataOf<typeof ReceiptProof>[]> {
    const { knex, rows } = this.#database
    const ids =
      id === undefined
        ? await rows(
            closed({ id: Text }),
            knex('draws')
              .select('id')
              .whereNotNull('opened_at')
              .orderBy([{ column: 'opened_at', order: 'desc' }, 'id'])
              .limit(newest)
          )
        : [{ id }]
    const found = []
    for (const one of ids) found.push(await this.receipt(one.id))
    return found
  }

  async #isSigned(head: Head, signature: string): Promise<boolean> {
    const key = (await readKeys(this.#database)).find(({ kid }) => kid === head.key_id)
    return key !== undefined && isSigned(head, signature, key.x)
  }

  /**
   * Returns the proof that the tree of the second batch begins with that of the first. Throws 400 for batches of two
   * epochs or in the other order, 404 for an unknown one.
   */
  async consistency(first: number, second: number): Promise<DataOf<typeof Consistency>> {
    const [from, to] = [await this.#batch(first), await this.#batch(second)]
    if (from.head.epoch !== to.head.epoch)
      throw invalid(
        'to',
        `Each epoch has a tree of its own: batch ${first} is of epoch ${from.head.epoch}, batch ${second} of epoch ${to.head.epoch}.`
      )
    if (first > second) throw invalid('to', 'The later batch comes second.')
    return {
      '@kind': 'proof-consistency',
      from,
      to,
      path: await hashesOf(this.#database, from.head.epoch, consistencyRanges(from.head.tree_size, to.head.tree_size))
    }
  }
}
