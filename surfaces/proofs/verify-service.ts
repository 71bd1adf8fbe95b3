import {
  canonicalize,
  compileSchema,
  hashCanonical,
  urlOf,
  type DataOf,
  type JsonObject,
  type JsonValue,
  type TSchema
} from 'pantry/data'
import { chainHashOf, isSigned, keyIdOf, type Batch, type Epoch } from './batches.ts'
import { BoosterRates, checkReceipt, hashOfReceipt } from './draw.ts'
import { Fairness } from './fairness.ts'
import { Frontier, isConsistent, isIncluded } from './merkle.ts'
import { BatchShown, ChainShown, Consistency, DigestsShown, HealthShown, KeysShown, ReceiptProof } from './proofs.ts'
import {
  checkFairness,
  checkHealth,
  checkTip,
  assertProven,
  demandEqual,
  UnprovenError,
  type SeenReceipt
} from './verify-studies.ts'

/** The only path known in advance; its response names all others. */
const entry = '.well-known/pantry-proofs.json'

/** The number of batches per page, and of receipts requested at once. */
const [pageLength, maxConcurrency] = [500, 8]

/** How many responses without a batch may count more batches than were read, because one was added meanwhile. */
const maxRetries = 5

type Leaf = DataOf<typeof BatchShown>['leaves'][number]
type Tree = { readonly frontier: Frontier; readonly batches: Batch[] }

const treeOf = ({ head: { tree_size: size, root } }: Batch) => ({ size, root })

/** Reads JSON from an address. Rejects for anything but JSON. */
type ReadJson = (address: string) => Promise<JsonValue>

/** Verifies the chain of a service, from nothing but its responses and a head that was seen earlier. */
class Verification {
  readonly #base: string
  readonly #readJson: ReadJson
  readonly #rates = new Map<string, BoosterRates>()
  /** The addresses of everything else, which the first response names. */
  #links = {} as DataOf<typeof KeysShown>['_links']
  readonly #keys = new Map<string, string>()
  /** Key ids in the order of their first signature. */
  readonly #signers: string[] = []
  readonly #batches: Batch[] = []
  readonly #trees = new Map<number, Tree>()
  readonly #receipts: SeenReceipt[] = []
  readonly #nonces = new Set<number>()
  /** Hash of each head that proves a receipt, with the id of such a receipt. Each must be in the chain. */
  readonly #provenHeads = new Map<string, string>()
  readonly #pages: DataOf<typeof ChainShown>[] = []
  #epochs: readonly Epoch[] = []
  #proofs = 0

  constructor(base: string, readJson: ReadJson) {
    ;[this.#base, this.#readJson] = [base, readJson]
  }

  async run(remembered: Batch | undefined) {
    await this.#readKeys()
    // These are read before the chain, so that the chain contains all that they count.
    const fairness = await this.#read(Fairness, this.#links.fairness)
    const health = await this.#read(HealthShown, this.#links.health)
    await this.#chain()
    if (remembered !== undefined) this.#requireHead(remembered)
    await this.#digests()
    for (const { batches } of this.#trees.values()) await this.#consistencies(batches)
    const shown = new Set(this.#batches.map(batch => hashCanonical(batch)))
    for (const [hash, id] of this.#provenHeads)
      assertProven(shown.has(hash), `The head that proves receipt ${id} is not in the chain.`)
    checkFairness(fairness, this.#receipts, this.#rates)
    checkHealth(health, this.#batches, this.#receipts)
    return {
      epochs: this.#epochs,
      batches: this.#batches.length,
      receipts: this.#receipts.length,
      proofs: this.#proofs,
      tip: this.#batches.at(-1)
    }
  }

  /** Reads a response and checks it against the schema. Throws for links to another origin. */
  async #read<S extends TSchema>(
    schema: S,
    link: string,
    values: Readonly<Record<string, string | number>> = {}
  ): Promise<DataOf<S>> {
    const url = urlOf(
      new URL(
        link.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')),
        this.#base
      ).href
    )
    if (url === undefined || url.origin !== new URL(this.#base).origin)
      throw new UnprovenError(`\`${link}\` is not an address of this service.`)
    const answer = await this.#readJson(url.href)
    const data = (answer as JsonObject | null)?.['data'] ?? answer
    const [issue] = compileSchema(schema)(data)
    if (issue !== undefined)
      throw new UnprovenError(`${url.pathname} has another form: /${issue.pointer.join('/')}: ${issue.message}`)
    return data as DataOf<S>
  }

  async #readKeys(): Promise<void> {
    const { keys, _links: links } = await this.#read(KeysShown, entry)
    this.#links = links
    for (const { kid, x } of keys) {
      assertProven(keyIdOf(x) === kid, `The public key ${kid} has another id.`)
      this.#keys.set(kid, x)
    }
  }

  async #chain(): Promise<void> {
    for (let again = 0; ;) {
      const page = await this.#read(
        ChainShown,
        `${this.#links.chain}?from_id=${(this.#batches.at(-1)?.head.batch ?? 0) + 1}&limit=${pageLength}`
      )
      if (page.halted !== null)
        throw new UnprovenError(`The service says that its chain does not go on: ${page.halted}`)
      this.#pages.push(page)
      this.#epochs = page.epochs
      for (const batch of page.batches) await this.#batch(batch)
      if (page.batches.length === 0 && (page.counts.batches <= this.#batches.length || again++ === maxRetries)) break
    }
    // Earlier pages may be older states of the chain, but must not contradict it.
    for (const { tip, counts, epochs } of this.#pages) {
      checkTip(tip, counts, this.#batches)
      const known = this.#epochs.slice(0, epochs.length)
      demandEqual(epochs, known, 'The declarations of epochs differ from answer to answer.')
    }
    const tip = this.#pages.at(-1)?.tip ?? null
    demandEqual(tip, this.#batches.at(-1) ?? null, 'The tip of the chain is not its last batch.')
    for (const epoch of this.#epochs) this.#epoch(epoch)
  }

  async #batch(batch: Batch): Promise<void> {
    const { head, signature, chain_hash: hash } = batch
    const name = `Batch ${head.batch}`
    const last = this.#batches.at(-1)
    const epoch = this.#epochs.find(known => known.epoch === head.epoch)
    assertProven(
      head.batch > (last?.head.batch ?? 0) && head.epoch >= (last?.head.epoch ?? 0),
      'The batches of the chain are not in their order.'
    )
    if (epoch === undefined) throw new UnprovenError(`Epoch ${head.epoch} was not declared.`)
    const tree = this.#trees.get(head.epoch) ?? { frontier: new Frontier(), batches: [] }
    assertProven(
      head.previous === chainHashOf(tree.batches.at(-1)?.head ?? epoch),
      `${name} does not follow what was signed before it.`
    )
    assertProven(hash === chainHashOf(head), `${name} has another chain hash than its head.`)
    assertProven(isSigned(head, signature, await this.#keyOf(head.key_id)), `${name} is not signed by a published key.`)
    if (this.#signers.at(-1) !== head.key_id)
      assertProven(
        this.#signers.push(head.key_id) === new Set(this.#signers).size,
        `${name} is signed with the key ${head.key_id}, which another one had replaced.`
      )
    const leaves = await this.#leaves(batch, tree.frontier)
    assertProven(
      tree.frontier.size === head.tree_size && tree.frontier.root === head.root,
      `${name}: its receipts do not make the root that was signed.`
    )
    for (let from = 0; from < leaves.length; from += maxConcurrency)
      await Promise.all(
        leaves.slice(from, from + maxConcurrency).map(async leaf => {
          await this.#inclusion(leaf, head.batch)
        })
      )
    tree.batches.push(batch)
    this.#trees.set(head.epoch, tree)
    this.#batches.push(batch)
  }

  /** Returns a public key, or an empty text. An unknown key may be new, so the keys are read again. */
  async #keyOf(keyId: string): Promise<string> {
    if (!this.#keys.has(keyId)) await this.#readKeys()
    return this.#keys.get(keyId) ?? ''
  }

  /** Checks the receipts of a batch and adds each to the tree. */
  async #leaves(batch: Batch, tree: Frontier): Promise<readonly Leaf[]> {
    const {
      head: { batch: number, tree_size: size },
      leaf_count: count,
      window_from: from,
      window_to: to
    } = batch
    const { batch: shown, first_leaf: first, leaves } = await this.#read(BatchShown, this.#links.digest, { id: number })
    demandEqual(shown, batch, `Batch ${number} is shown in two forms.`)
    assertProven(
      leaves.length === count && tree.size + count === size && tree.size === first,
      `Batch ${number} has ${leaves.length} receipts of ${count}.`
    )
    assertProven(
      leaves[0]?.receipt.opened_at === from && leaves.at(-1)?.receipt.opened_at === to,
      `Batch ${number} names other times than its receipts.`
    )
    for (const { leaf_index: index, leaf_hash: hash, receipt } of leaves) {
      const name = `Receipt ${receipt.id} of batch ${number}`
      assertProven(index === tree.size, `${name} is not at its place.`)
      assertProven(hash === hashOfReceipt(receipt), `${name} has another hash.`)
      const rates = await this.#ratesOf(receipt.rates_digest)
      const checks = checkReceipt(receipt, rates)
      assertProven(checks.commitment, `${name}: the commitment is not the hash of the seed.`)
      assertProven(checks.result, `${name}: the result does not follow from the seeds.`)
      assertProven(
        receipt.set === rates.set && receipt.game === rates.game,
        `${name}: the rates are those of another set.`
      )
      assertProven(
        this.#nonces.size < this.#nonces.add(receipt.nonce).size,
        `${name}: another draw has the same number.`
      )
      tree.add(hash)
      const { nonce, rates_digest, opened_at, result } = receipt
      this.#receipts.push({ batch: number, nonce, rates_digest, opened_at, result })
    }
    return leaves
  }

  async #inclusion({ receipt, leaf_hash: leaf, leaf_index: index }: Leaf, batch: number): Promise<void> {
    const { id } = receipt
    const shown = await this.#read(ReceiptProof, this.#links.receipt, { id })
    const { inclusion: path, signed } = shown
    if (path === null || signed === null) throw new UnprovenError(`Receipt ${id} has no proof.`)
    demandEqual(
      [shown.receipt, shown.leaf_hash, shown.leaf_index, shown.batch],
      [receipt, leaf, index, batch],
      `Receipt ${id} is shown in two forms.`
    )
    assertProven(isIncluded({ leaf, index, path, ...treeOf(signed) }), `Receipt ${id} is not proven to be in the tree.`)
    assertProven(
      !Object.values(shown.checks).includes(false),
      `The service itself says that receipt ${id} does not hold.`
    )
    this.#provenHeads.set(hashCanonical(signed), id)
    this.#proofs += 1
  }

  /** Checks that the history of batches is the chain, up to the last batch that was read of the chain. */
  async #digests(): Promise<void> {
    const shown: Batch[] = []
    for (let next: number | null = null; ;) {
      const {
        digests,
        count,
        next_before: before
      }: DataOf<typeof DigestsShown> = await this.#read(
        DigestsShown,
        `${this.#links.digests}?limit=${pageLength}${next === null ? '' : `&before=${next}`}`
      )
      shown.push(...digests)
      assertProven(
        count === digests.length &&
          (before === null || (before === digests.at(-1)?.head.batch && before < (next ?? Infinity))),
        'The history of batches counts wrongly.'
      )
      if (before === null) break
      next = before
    }
    const last = this.#batches.at(-1)?.head.batch ?? 0
    const known = shown.filter(({ head }) => head.batch <= last).reverse()
    demandEqual(known, this.#batches, 'The history of batches is not the chain.')
  }

  /** Checks the proofs that the last tree of an epoch begins with the first one, and with the one before the last. */
  async #consistencies(batches: readonly Batch[]): Promise<void> {
    const last = batches.at(-1)
    for (const from of new Set([batches[0], batches.at(-2)]))
      if (from !== undefined && last !== undefined) await this.#consistency(from, last)
  }

  async #consistency(from: Batch, to: Batch): Promise<void> {
    const shown = await this.#read(
      Consistency,
      `${this.#links.consistency}?from=${from.head.batch}&to=${to.head.batch}`
    )
    assertProven(
      canonicalize([shown.from, shown.to]) === canonicalize([from, to]) &&
        isConsistent(treeOf(from), treeOf(to), shown.path),
      `The tree of batch ${to.head.batch} is not proven to begin with the one of batch ${from.head.batch}.`
    )
    this.#proofs += 1
  }

  /** Checks that an epoch names the last head before it, and that the head declared lost is not in the chain. */
  #epoch({ epoch: number, after, lost }: Epoch): void {
    const before = this.#batches.findLast(({ head }) => head.epoch < number)?.chain_hash ?? null
    assertProven(
      this.#epochs[number - 1]?.epoch === number &&
        after === before &&
        !this.#batches.some(({ chain_hash: hash }) => hash === lost),
      `Epoch ${number} does not say truly what was before it.`
    )
  }

  /** Checks that a head that was seen earlier is in the chain. */
  #requireHead(seen: Batch): void {
    if (this.#batches.some(batch => canonicalize(batch) === canonicalize(seen))) return
    const {
      head: { batch: number, epoch, tree_size: size, key_id: key }
    } = seen
    const name = `The head of batch ${number} that was seen before is not in the chain`
    const declared = this.#epochs.find(({ lost }) => lost === chainHashOf(seen.head))
    if (declared !== undefined)
      throw new UnprovenError(`${name}. Epoch ${declared.epoch} declares that it was lost: ${declared.reason}`)
    const isTheirs = isSigned(seen.head, seen.signature, this.#keys.get(key) ?? '')
    const other = this.#batches.find(
      ({ head }) => head.epoch === epoch && (head.batch === number || head.tree_size === size)
    )
    throw new UnprovenError(
      `${name}: another history is shown. ${!isTheirs ? 'No published key signed it.' : other === undefined ? 'The chain was shortened; the head is signed and proves it.' : 'Both heads are signed and prove it: keep the one that was seen.'}`
    )
  }

  async #ratesOf(digest: string): Promise<BoosterRates> {
    const known = this.#rates.get(digest) ?? (await this.#read(BoosterRates, this.#links.rates, { digest }))
    assertProven(hashCanonical(known) === digest, `The rates ${digest} have another digest.`)
    this.#rates.set(digest, known)
    return known
  }
}

/** `remembered`: a head seen earlier, possibly by somebody else. Throws `Unproven` for the first check that fails. */
export async function verifyService(base: string, readJson: ReadJson, remembered?: Batch) {
  try {
    return await new Verification(base, readJson).run(remembered)
  } catch (error) {
    // `draw` throws a RangeError for rates with invalid weights.
    throw error instanceof RangeError ? new UnprovenError(error.message) : error
  }
}
