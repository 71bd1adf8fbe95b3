import { canonicalize, closed, compileSchema, hashCanonical, Text, Type, urlOf, type DataOf, type JsonObject, type JsonValue, type TSchema } from 'pantry/data'
import { BoosterRates } from './booster-rates.ts'
import { Batch, chainHashOf, Epoch, isSigned, PublicKey } from './head.ts'
import { Frontier, isConsistent, isIncluded } from './merkle.ts'
import { BatchShown, Consistency, ReceiptProof } from './proofs.ts'
import { checkReceipt, hashOfReceipt } from './receipt.ts'

/** The one address that is known before: everything else is named by what it answers. */
const entry = '.well-known/pantry-proofs.json'

/** Batches of one answer. */
const pageLength = 500

const Start = Type.Object({ keys: Type.Array(PublicKey), _links: closed({ chain: Text, digest: Text, receipt: Text, rates: Text, consistency: Text }) })
const Page = Type.Object({ batches: Type.Array(Batch), epochs: Type.Array(Epoch) })

type Leaf = DataOf<typeof BatchShown>['leaves'][number]

/** Reads the JSON at an address, or throws. */
type ReadJson = (address: string) => Promise<JsonValue>

/** What does not hold. */
export class Unproven extends Error {}

const demand = (holds: boolean, otherwise: string): void => { if (!holds) throw new Unproven(otherwise) }

/** What was found to hold. */
type Verified = Readonly<{ epochs: number, batches: number, receipts: number, proofs: number, tip: Batch | undefined }>

/** Checks all that a service says of its draws, with nothing but its answers. */
class Verification {
  readonly #base: string
  readonly #readJson: ReadJson
  readonly #rates = new Map<string, BoosterRates>()
  #links: DataOf<typeof Start>['_links'] = { chain: '', digest: '', receipt: '', rates: '', consistency: '' }
  #keys: ReadonlyMap<string, string> = new Map()
  #receipts = 0
  #proofs = 0

  constructor (base: string, readJson: ReadJson) { [this.#base, this.#readJson] = [base, readJson] }

  async run (remembered: Batch | undefined): Promise<Verified> {
    const { keys, _links: links } = await this.#read(Start, entry)
    this.#links = links
    this.#keys = new Map(keys.map(({ kid, x }) => [kid, x]))
    const { batches, epochs } = await this.#chain()
    if (remembered !== undefined) demand(batches.some(({ chain_hash: hash }) => hash === remembered.chain_hash), `The head of batch ${remembered.head.batch} that was seen before is not in the chain: another history is shown.`)
    const trees = new Map<number, Batch[]>()
    for (const batch of batches) trees.set(batch.head.epoch, [...trees.get(batch.head.epoch) ?? [], batch])
    for (const [number, ofEpoch] of trees) {
      const epoch = epochs.find(one => one.epoch === number)
      if (epoch === undefined) throw new Unproven(`Epoch ${number} was not declared.`)
      await this.#epoch(epoch, ofEpoch)
    }
    return { epochs: trees.size, batches: batches.length, receipts: this.#receipts, proofs: this.#proofs, tip: batches.at(-1) }
  }

  /** An address of the service, which it names itself; never another service's. */
  async #read<S extends TSchema> (schema: S, link: string, values: Readonly<Record<string, string | number>> = {}): Promise<DataOf<S>> {
    const url = urlOf(new URL(link.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')), this.#base).href)
    if (url === undefined || url.origin !== new URL(this.#base).origin) throw new Unproven(`\`${link}\` is not an address of this service.`)
    const answer = await this.#readJson(url.href)
    const data = (answer as JsonObject | null)?.['data'] ?? answer
    const [issue] = compileSchema({ ...schema })(data)
    if (issue !== undefined) throw new Unproven(`${url.pathname} has another form: /${issue.pointer.join('/')}: ${issue.message}`)
    return data as DataOf<S>
  }

  async #chain (): Promise<Readonly<{ batches: readonly Batch[], epochs: readonly Epoch[] }>> {
    const batches: Batch[] = []
    for (;;) {
      const page = await this.#read(Page, `${this.#links.chain}?from_id=${(batches.at(-1)?.head.batch ?? 0) + 1}&limit=${pageLength}`)
      for (const batch of page.batches) {
        demand(batch.head.batch > (batches.at(-1)?.head.batch ?? 0), 'The batches of the chain are not in their order.')
        batches.push(batch)
      }
      if (page.batches.length < pageLength) return { batches, epochs: page.epochs }
    }
  }

  async #epoch (epoch: Epoch, batches: readonly Batch[]): Promise<void> {
    const tree = new Frontier()
    let previous = chainHashOf(epoch)
    for (const batch of batches) {
      const { head, signature } = batch
      const name = `Batch ${head.batch}`
      demand(head.previous === previous, `${name} does not follow what was signed before it.`)
      demand(batch.chain_hash === chainHashOf(head), `${name} has another chain hash than its head.`)
      demand(isSigned(head, signature, this.#keys.get(head.key_id) ?? ''), `${name} is not signed by a published key.`)
      const proofs = await this.#leaves(batch, tree)
      demand(tree.size === head.tree_size && tree.root === head.root, `${name}: its receipts do not make the root that was signed.`)
      for (const given of proofs) await this.#inclusion(given)
      previous = batch.chain_hash
    }
    const [first, last] = [batches[0], batches.at(-1)]
    if (first !== undefined && last !== undefined) for (const from of new Set([first, batches.at(-2) ?? first])) await this.#consistency(from, last)
  }

  /** Every receipt of a batch by itself. Gives the first and the last, whose proofs are asked for. */
  async #leaves ({ head: { batch, tree_size: size }, leaf_count: count }: Batch, tree: Frontier): Promise<ReadonlySet<Leaf>> {
    const { leaves } = await this.#read(BatchShown, this.#links.digest, { id: batch })
    demand(leaves.length === count && tree.size + count === size, `Batch ${batch} has ${leaves.length} receipts of ${count}.`)
    for (const { leaf_index: index, leaf_hash: hash, receipt } of leaves) {
      const name = `Receipt ${receipt.id} of batch ${batch}`
      demand(index === tree.size, `${name} is not at its place.`)
      demand(hash === hashOfReceipt(receipt), `${name} has another hash.`)
      const checks = checkReceipt(receipt, await this.#ratesOf(receipt.rates_digest))
      demand(checks.commitment, `${name}: the commitment is not the hash of the seed.`)
      demand(checks.result, `${name}: the result does not follow from the seeds.`)
      tree.add(hash)
      this.#receipts += 1
    }
    return new Set([leaves[0], leaves.at(-1)].filter(one => one !== undefined))
  }

  async #inclusion ({ receipt: { id }, leaf_hash: leaf, leaf_index: index }: Leaf): Promise<void> {
    const { inclusion: path, signed, leaf_index: place } = await this.#read(ReceiptProof, this.#links.receipt, { id })
    if (path === null || signed === null) throw new Unproven(`Receipt ${id} has no proof.`)
    demand(isSigned(signed.head, signed.signature, this.#keys.get(signed.head.key_id) ?? ''), `The head that proves receipt ${id} is not signed by a published key.`)
    demand(place === index && isIncluded({ leaf, index, size: signed.head.tree_size, path, root: signed.head.root }), `Receipt ${id} is not proven to be in the tree.`)
    this.#proofs += 1
  }

  async #consistency (from: Batch, to: Batch): Promise<void> {
    const shown = await this.#read(Consistency, `${this.#links.consistency}?from=${from.head.batch}&to=${to.head.batch}`)
    const [before, after] = [from.head, to.head].map(({ tree_size: size, root }) => ({ size, root })) as [Readonly<{ size: number, root: string }>, Readonly<{ size: number, root: string }>]
    demand(canonicalize(shown.to.head) === canonicalize(to.head) && isConsistent(before, after, shown.path), `The tree of batch ${to.head.batch} is not proven to begin with the one of batch ${from.head.batch}.`)
    this.#proofs += 1
  }

  async #ratesOf (digest: string): Promise<BoosterRates> {
    const known = this.#rates.get(digest) ?? await this.#read(BoosterRates, this.#links.rates, { digest })
    demand(hashCanonical(known) === digest, `The rates ${digest} have another digest.`)
    this.#rates.set(digest, known)
    return known
  }
}

/** `base`: address of the service. `remembered`: a head that was seen before, perhaps by somebody else. Throws `Unproven` for the first thing that does not hold. */
export async function verifyService (base: string, readJson: ReadJson, remembered?: Batch): Promise<Verified> {
  try {
    return await new Verification(base, readJson).run(remembered)
  } catch (error) {
    // Weights that nothing can be drawn by.
    throw error instanceof RangeError ? new Unproven(error.message) : error
  }
}
