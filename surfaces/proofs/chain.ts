import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalize, type ServiceLog } from 'pantry/data'
import type { Knex } from 'pantry/database'
import {
  chainHashOf,
  isSigned,
  keyIdOf,
  lastOf,
  newestOf,
  nextAfter,
  readBatches,
  readEpochs,
  readHeadFile,
  readIfExists,
  readKeys,
  type Batch,
  type Epoch,
  type Head
} from './batches.ts'
import { hashOfReceipt, OpenedRow, receiptOf, selectOpened } from './draw.ts'
import { Frontier, readNodes, storeNodes, wholeNodes, type ProofsDatabase } from './merkle.ts'

/** The private key that signs heads. Only the owner of the file can read it, so backups include it. */
const keyFile = 'proofs-key'
/**
 * The last head that this installation saw. Everyone can read it, so backups leave it out and a restore cannot replace
 * it by an older one.
 */
const headFile = 'proofs-head'

type Signer = Readonly<{ x: string; keyId: string; sign: (head: Head) => string }>

/** Files in the data folder, outside the database. All processes of an installation share them. */
export class OwnFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the signer with the key of the data folder, which is created if there is none. */
  async signer(): Promise<Signer> {
    const file = join(this.#folder, keyFile)
    const key: KeyObject = createPrivateKey((await readIfExists(file)) ?? (await this.#newKey(file)))
    const x = createPublicKey(key).export({ format: 'jwk' }).x ?? ''
    return {
      x,
      keyId: keyIdOf(x),
      sign: head => sign(null, Buffer.from(canonicalize(head)), key).toString('base64url')
    }
  }

  async #newKey(file: string): Promise<string> {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' }
    })
    const part = `${file}.${randomUUID()}`
    await mkdir(this.#folder, { recursive: true })
    await writeFile(part, privateKey, { mode: 0o600, flag: 'wx' })
    // If two processes create the key at once, `link` succeeds for only one of them, and both read that key.
    await link(part, file)
      .catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      })
      .finally(() => rm(part))
    return await readFile(file, 'utf8')
  }

  async lastHead(): Promise<Batch | undefined> {
    const head = await readHeadFile(join(this.#folder, headFile))
    if (head === null) throw new Error(`\`${headFile}\` holds no signed head.`)
    return head
  }

  async remember(batch: Batch): Promise<void> {
    const file = join(this.#folder, headFile)
    const part = `${file}.${randomUUID()}`
    await writeFile(part, `${canonicalize(batch)}\n`, { mode: 0o644 })
    await rename(part, file)
  }
}

const maxBatchSize = 256

/** The chain cannot continue until the operator acts. */
class HaltedError extends Error {}

/** Adds opened draws to the tree and signs its heads; a lock in the database lets only one process do so at a time. */
export class Chain {
  readonly #database: ProofsDatabase
  readonly #files: OwnFiles
  readonly #log: Pick<ServiceLog, 'error'>
  #logged = ''

  constructor(database: ProofsDatabase, files: OwnFiles, log: Pick<ServiceLog, 'error'>) {
    ;[this.#database, this.#files, this.#log] = [database, files, log]
  }

  /**
   * Adds all opened draws to the tree. Returns the reason if the chain is halted or a file of the data folder cannot be
   * used; rejects when the database is unavailable.
   */
  async advance(): Promise<string | undefined> {
    return await this.#reasonOf(async () => {
      await this.#checkLastHead()
      while ((await this.#isWaiting()) && (await this.#addBatch()) === maxBatchSize);
    })
  }

  async halted(): Promise<string | undefined> {
    return await this.#reasonOf(async () => {
      await this.#checkLastHead()
    })
  }

  /**
   * Returns why the work could not be done, if the chain is halted or a file of the data folder cannot be used; throws
   * other errors.
   */
  async #reasonOf(work: () => Promise<void>): Promise<string | undefined> {
    try {
      await work()
      return undefined
    } catch (error) {
      if (!(error instanceof HaltedError) && !(error instanceof Error && 'syscall' in error)) throw error
      if (this.#logged !== error.message)
        this.#log.error({ subsystem: 'proofs', reason: error.message }, 'The chain of draws does not go on.')
      return (this.#logged = error.message)
    }
  }

  /** Declares a new epoch, which begins a new tree, with the reason why the old one ended. Returns its number. */
  async declare(reason: string): Promise<number> {
    const lost = await this.#files.lastHead()
    return await this.#withLock(async (knex, epoch) => {
      const read = { ...this.#database, knex }
      const held =
        lost === undefined ? [] : await readBatches(read, query => query.where({ chain_hash: chainHashOf(lost.head) }))
      const last = await newestOf(read)
      await knex('proof_epochs').insert({
        epoch: epoch.epoch + 1,
        reason,
        after: last?.chain_hash ?? null,
        lost: held.length > 0 ? null : (lost?.chain_hash ?? null)
      })
      return epoch.epoch + 1
    })
  }

  /**
   * Throws HaltedError if the database lacks the last head signed or seen here and no later epoch was declared.
   * Remembers a newer head that another process signed.
   */
  async #checkLastHead(): Promise<void> {
    const last = await this.#files.lastHead()
    if (last !== undefined) await this.#requireHead(last)
    const newest = await newestOf(this.#database)
    if (newest !== undefined && newest.head.batch > (last?.head.batch ?? 0) && (await this.#isValid(newest)))
      await this.#files.remember(newest)
  }

  async #isValid({ head, signature, chain_hash: hash }: Batch): Promise<boolean> {
    return hash === chainHashOf(head) && (await readKeys(this.#database)).some(({ x }) => isSigned(head, signature, x))
  }

  async #requireHead(last: Batch): Promise<void> {
    const [held] = await readBatches(this.#database, query => query.where({ chain_hash: chainHashOf(last.head) }))
    if (held !== undefined || ((await readEpochs(this.#database)).at(-1)?.epoch ?? 0) > last.head.epoch) return
    throw new HaltedError(
      `The chain does not have its last signed head: batch ${last.head.batch} of epoch ${last.head.epoch}, with ${last.head.tree_size} receipts. Restore it, or declare an epoch with \`pantry proofs epoch\`.`
    )
  }

  async #isWaiting(): Promise<boolean> {
    return (
      (await this.#database.knex('draws').whereNotNull('opened_at').whereNull('batch').limit(1).select('id')).length > 0
    )
  }

  async #withLock<T>(work: (knex: Knex.Transaction, epoch: Epoch) => Promise<T>): Promise<T> {
    return await this.#database.knex.transaction(async transaction => {
      await transaction.raw("select pg_advisory_xact_lock(hashtext('pantry proofs'))")
      const epoch = (await readEpochs({ ...this.#database, knex: transaction })).at(-1)
      if (epoch === undefined) throw new HaltedError('The chain has no epoch.')
      return await work(transaction, epoch)
    })
  }

  async #addBatch(): Promise<number> {
    const signer = await this.#files.signer()
    const made = await this.#withLock(async (knex, epoch) => {
      const read = { ...this.#database, knex }
      const opened = await read.rows(
        OpenedRow,
        knex.raw(
          `${selectOpened()} where d.opened_at is not null and d.batch is null order by d.opened_at, d.id limit ? for update of d`,
          [maxBatchSize]
        )
      )
      const receipts = opened.map(receiptOf)
      const [first, final] = [receipts[0], receipts.at(-1)]
      if (first === undefined || final === undefined) return undefined
      await this.#requireNewestKey(read, signer.keyId)
      const last = await lastOf(read, epoch.epoch)
      const tree = await this.#treeOf(read, epoch.epoch, last)
      const nodes = receipts.flatMap(receipt => tree.add(hashOfReceipt(receipt)))
      const columns = {
        epoch: epoch.epoch,
        batch: await this.#nextNumber(read),
        tree_size: tree.size,
        root: tree.root,
        previous: nextAfter(epoch, last),
        signed_at: new Date().toISOString(),
        key_id: signer.keyId
      }
      const head = { '@kind': 'proof-head/1', ...columns } as const
      const signed = {
        signature: signer.sign(head),
        chain_hash: chainHashOf(head),
        leaf_count: receipts.length,
        window_from: first.opened_at,
        window_to: final.opened_at
      }
      await knex('proof_keys').insert({ key_id: signer.keyId, x: signer.x }).onConflict('key_id').ignore()
      await knex('proof_batches').insert({ ...columns, ...signed })
      await storeNodes(knex, epoch.epoch, nodes)
      await knex.raw(
        'update draws d set batch = ?, leaf_index = p.leaf_index from unnest(?::uuid[], ?::bigint[]) as p(id, leaf_index) where d.id = p.id',
        [head.batch, receipts.map(({ id }) => id), receipts.map((_, place) => tree.size - receipts.length + place)]
      )
      return { head, ...signed }
    })
    // Only after the commit, so that every remembered head is stored.
    if (made !== undefined) await this.#files.remember(made)
    return made?.leaf_count ?? 0
  }

  /** Throws HaltedError if a newer key has replaced this one, so that an old copy of a key cannot be used unnoticed. */
  async #requireNewestKey(read: ProofsDatabase, keyId: string): Promise<void> {
    const newest = await newestOf(read)
    if (
      newest === undefined ||
      newest.head.key_id === keyId ||
      !(await readKeys(read)).some(({ kid }) => kid === keyId)
    )
      return
    throw new HaltedError(
      'Another key replaced the one in this data folder. Copy the new file `proofs-key` here, or move the old one away.'
    )
  }

  /** Returns the stored tree of an epoch. Throws HaltedError if it does not match its last head. */
  async #treeOf(read: ProofsDatabase, epoch: number, last: Batch | undefined): Promise<Frontier> {
    const size = last?.head.tree_size ?? 0
    const tree = new Frontier(size, await readNodes(read, epoch, wholeNodes([0, size])))
    if (last !== undefined && tree.root !== last.head.root)
      throw new HaltedError(
        `The stored tree of epoch ${epoch} is not the one that was signed. Restore a backup, or declare an epoch with \`pantry proofs epoch\`.`
      )
    return tree
  }

  /** Returns a number for the next batch that is higher than all used ones, including that of a lost head. */
  async #nextNumber(read: ProofsDatabase): Promise<number> {
    const last = await newestOf(read)
    return Math.max(last?.head.batch ?? 0, (await this.#files.lastHead())?.head.batch ?? 0) + 1
  }
}
