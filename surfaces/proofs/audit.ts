import { closed, Count, Day, hashCanonical, NullableText, Text, Type, type DataOf } from 'pantry/data'
import {
  chainHashOf,
  isSigned,
  nextAfter,
  readBatches,
  readEpochs,
  readKeys,
  readLeaves,
  type Batch
} from './batches.ts'
import { BoosterRates, checkReceipt, hashOfReceipt, sumOf, type ProofReceipt } from './draw.ts'
import { Frontier, readNodes, wholeNodes, type MerkleNode, type ProofsDatabase } from './merkle.ts'

/** The number of days whose batches are recomputed, up to now. */
export const auditDays = 7

const maxFailures = 50

const Failure = closed({ batch: Count, draw: NullableText, what: Text })
type Failure = DataOf<typeof Failure>

/**
 * How many draws are in which state. Draws are numbered without gaps from 1, so if the counts have a smaller sum than
 * `begun`, draws were deleted.
 */
const DrawCounts = closed(
  { begun: Count, in_chain: Count, waiting: Count, unopened: Count, expired: Count },
  'How many draws have begun, and where they are: in the chain, opened and not yet in the chain, not opened, not opened in time.'
)

/** Returns how many draws are in none of the states, because they were deleted. */
export const missingOf = ({
  begun,
  in_chain: inChain,
  waiting,
  unopened,
  expired
}: DataOf<typeof DrawCounts>): number => begun - inChain - waiting - unopened - expired

export const AuditReport = closed({
  lookback_days: Count,
  at: Text,
  batch: Type.Integer({ minimum: 0, description: 'The last batch that was looked at; 0: there is none.' }),
  draws: DrawCounts,
  batches: Count,
  total: Count,
  passed: Count,
  failed: Count,
  failures: Type.Array(Failure, { description: `The first ${maxFailures}.` }),
  daily: Type.Array(closed({ day: Day, total: Count, failed: Count }))
})
export type AuditReport = DataOf<typeof AuditReport>

const Counted = closed({ at: Text, batch: Count, ...DrawCounts.properties })

async function countDraws({ rows, knex }: ProofsDatabase): Promise<DataOf<typeof Counted>> {
  const [counted] = await rows(
    Counted,
    knex.raw(`select date_trunc('milliseconds', now()) as at, coalesce(max(batch), 0) as batch, coalesce(max(nonce), 0) as begun, count(batch) as in_chain,
    count(*) filter (where opened_at is not null and batch is null) as waiting, count(*) filter (where opened_at is null and begun_at >= now() - interval '1 hour') as unopened,
    count(*) filter (where opened_at is null and begun_at < now() - interval '1 hour') as expired from draws`)
  )
  if (counted === undefined) throw new Error('A count is a row.')
  return counted
}

/** Returns the stored rates by their digest, without those whose digest is wrong. */
async function readRates({ rows, knex }: ProofsDatabase): Promise<ReadonlyMap<string, BoosterRates>> {
  const stored = await rows(closed({ digest: Text, rates: BoosterRates }), knex('draw_rates').select('digest', 'rates'))
  return new Map(
    stored.filter(({ digest, rates }) => hashCanonical(rates) === digest).map(({ digest, rates }) => [digest, rates])
  )
}

/** Returns what is wrong with a receipt, without regard to the tree. */
function wrongWith(receipt: ProofReceipt, rates: BoosterRates | undefined): string | undefined {
  if (rates === undefined) return 'The rates that it names are not there.'
  const { commitment, result } = checkReceipt(receipt, rates)
  if (!commitment) return 'The commitment is not the hash of the seed.'
  return result ? undefined : 'The result does not follow from the seeds.'
}

const storedTree = async (read: ProofsDatabase, epoch: number, size: number): Promise<Frontier> =>
  new Frontier(size, await readNodes(read, epoch, wholeNodes([0, size])))

/** Recomputes draws, leaves, the tree (from its stored subtrees), hashes of heads, and signatures of the last days. */
export async function audit(read: ProofsDatabase): Promise<AuditReport> {
  const { at, batch: newest, ...draws } = await countDraws(read)
  const batches = await readBatches(read, query =>
    query
      .whereRaw("signed_at > ?::timestamptz - ? * interval '24 hours'", [at, auditDays])
      .where('batch', '<=', newest)
      .orderBy('batch')
  )
  const rates = await readRates(read)
  const keys = new Map((await readKeys(read)).map(({ kid, x }) => [kid, x]))
  const epochs = await readEpochs(read)
  const failures: Failure[] = []
  const days = new Map<string, { total: number; failed: number }>()
  let tree = new Frontier()
  let before: Batch | undefined
  for (const batch of batches) {
    const { epoch, batch: number, tree_size: size, root, previous, key_id: key } = batch.head
    const failed = (what: string, draw: string | null = null): void => {
      failures.push({ batch: number, draw, what })
    }
    if (before?.head.epoch !== epoch) {
      ;[before] = await readBatches(read, query =>
        query.where({ epoch }).where('batch', '<', number).orderBy('batch', 'desc').limit(1)
      )
      const start = size - batch.leaf_count
      tree = await storedTree(read, epoch, start)
      if (before !== undefined && tree.root !== before.head.root)
        failed('The stored tree before it is not the one that was signed.')
    }
    const declared = epochs.find(known => known.epoch === epoch)
    if (declared === undefined || previous !== nextAfter(declared, before))
      failed('It does not follow the head before it.')
    if (batch.chain_hash !== chainHashOf(batch.head) || !isSigned(batch.head, batch.signature, keys.get(key) ?? ''))
      failed('The head is not what was signed.')
    const leaves = await readLeaves(read, number)
    const nodes = leaves.map(({ receipt }) => ({ receipt, made: tree.add(hashOfReceipt(receipt)) }))
    const added = nodes.flatMap(({ made }) => made)
    const stored = await readNodes(read, epoch, added)
    const storedHashes = new Map(stored.map(({ level, index, hash }) => [`${level}/${index}`, hash]))
    const isHeld = (node?: MerkleNode): boolean =>
      node !== undefined && storedHashes.get(`${node.level}/${node.index}`) === node.hash
    const day = batch.head.signed_at.slice(0, 10)
    const counted = days.get(day) ?? { total: 0, failed: 0 }
    for (const { receipt, made } of nodes) {
      const wrong =
        wrongWith(receipt, rates.get(receipt.rates_digest)) ??
        (isHeld(made[0]) ? undefined : 'The receipt is not the one that was put into the tree.')
      counted.total += 1
      if (wrong === undefined) continue
      counted.failed += 1
      failed(wrong, receipt.id)
    }
    days.set(day, counted)
    if (leaves.length !== batch.leaf_count) failed(`It has ${leaves.length} receipts of ${batch.leaf_count}.`)
    if (tree.root !== root || tree.size !== size) {
      failed('The receipts do not make the root that was signed.')
      // Continues from the stored tree, so that later batches are judged separately.
      tree = await storedTree(read, epoch, size)
    } else if (!added.every(isHeld)) failed('The stored tree is not the one that the receipts make.')
    before = batch
  }
  if (missingOf(draws) !== 0)
    failures.push({
      batch: newest,
      draw: null,
      what: `Of ${draws.begun} draws that began ${missingOf(draws)} are not there.`
    })
  const daily = [...days].map(([day, counted]) => ({ day, ...counted }))
  const total = sumOf(daily, day => day.total)
  const failed = sumOf(daily, day => day.failed)
  return {
    lookback_days: auditDays,
    at,
    batch: newest,
    draws,
    batches: batches.length,
    total,
    passed: total - failed,
    failed,
    failures: failures.slice(0, maxFailures),
    daily
  }
}
