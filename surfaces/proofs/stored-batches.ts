import { closed, Count, Text, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { chainHashOf, Epoch, publicKeyOf, type Batch, type PublicKey } from './head.ts'
import { OpenedRow, openedColumns, receiptOf, type ProofReceipt } from './receipt.ts'

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
