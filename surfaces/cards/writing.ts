/** Writing the catalogue: turns of the writers, projections, card lists of sets, and documents of an older form. */
import { hashCanonical, sha256Hex } from 'pantry/data'
import { copyInto, type Database, type Transaction } from 'pantry/database'
import { cardFieldNames, sampleCard, type CardFacts } from './card-fields.ts'
import { recordRewritten } from './card-history.ts'
import { storedCardOf } from './card-row.ts'
import { cardItem, setContentHash } from './documents/sets-and-games.ts'
import { sortNaturally } from './numbers.ts'
import { maxListedPrintings, type CardItem, type SetFacts, type SetListing } from './rows.ts'

/** The key of the advisory lock for writing cards; any number that nothing else uses would do. */
const cardsLock = 7_241_953_006

/**
 * Waits until no other transaction writes cards: imports, the deletion of sources, and refreshes of documents and names
 * take turns. The lock is released at the end of the transaction.
 */
export async function lockCardWrites(transaction: Transaction): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?)', [cardsLock])
}

/** Marks the catalogue as changed when this transaction commits, which invalidates `CatalogueCache`. */
export async function bumpCatalogueVersion(transaction: Transaction): Promise<void> {
  await transaction.raw(
    "insert into catalogue_state (name, version) values ('catalogue', gen_random_uuid()) on conflict (name) do update set version = excluded.version"
  )
}

/**
 * Derives further data from the cards. Imports and the deletion of sources call it with the games of the cards that may
 * have changed, in the same transaction, after the cards are written. The temporary table `touched_sets` (`id`) lists
 * the sets that had or have one of these cards, or in which one of them came.
 */
export type Projection = (transaction: Transaction, games: readonly string[]) => Promise<void>

type Item = CardItem & Readonly<{ set_id: number }>

/** The number of cards read at once. Sets are read whole, so a larger set exceeds it. */
const listedAtOnce = 5000

type ListedSet = Readonly<{ id: number; game: string; card_count: number }>

/** Groups sets into batches of at most `listedAtOnce` cards; a larger set is a batch of its own. */
export function batchesOf<Set extends Pick<ListedSet, 'card_count'>>(sets: readonly Set[]): Set[][] {
  const batches: Set[][] = []
  let cards = Infinity
  for (const set of sets) {
    if (cards + set.card_count > listedAtOnce) {
      batches.push([])
      cards = 0
    }
    batches.at(-1)?.push(set)
    cards += set.card_count
  }
  return batches
}

const inOrder = (cards: readonly CardItem[]): readonly CardItem[] =>
  sortNaturally(cards, ({ card_number: number, variant, sku }) => [number, variant, sku])

/**
 * Returns the lists of a set's cards and of the printings that came in it, in natural order: by number, then variant,
 * then SKU.
 */
export function listingOf(cards: readonly CardItem[], printed: readonly CardItem[]): SetListing {
  // This JSON is canonical: the members of each item are sorted, none is a number, and all texts are well-formed.
  const items = JSON.stringify(inOrder(cards).map(cardItem))
  const printings = JSON.stringify(
    inOrder(printed)
      .slice(0, maxListedPrintings)
      .map(({ sku }) => sku)
  )
  return {
    items,
    cards: cards.length,
    printings,
    printing_count: printed.length,
    digest: sha256Hex(`${items}${printings}${printed.length}`)
  }
}

const itemColumns = 'c.sku, c.card_number, c.lang, c.name, c.variant, c.rarity, c.content_hash'

/** SQL that joins the set `s` in which the card `c` came. */
export const joinPrintedIn = `
  join sets s on c.printed_in is not null and s.game = c.game and s.code_key = lower(c.printed_in ->> 'code')`

/** Returns the cards that a query gives, by the id of the set for which it gives them; each set has a list. */
async function itemsBySet(
  transaction: Transaction,
  ids: readonly number[],
  sql: string
): Promise<ReadonlyMap<number, readonly Item[]>> {
  const items = new Map(ids.map(id => [id, [] as Item[]]))
  const { rows } = await transaction.raw<{ rows: Item[] }>(sql, [[...ids]])
  for (const row of rows) items.get(row.set_id)?.push(row)
  return items
}

/**
 * Writes the card lists of the sets that match `condition` (an SQL condition on `sets s`), where they differ from the
 * stored ones.
 */
async function writeListings(transaction: Transaction, condition: string): Promise<void> {
  const { rows: sets } = await transaction.raw<{ rows: ListedSet[] }>(
    `select s.id, s.game, s.card_count from sets s where ${condition} order by s.id`
  )
  for (const batch of batchesOf(sets)) {
    const ids = batch.map(({ id }) => id)
    const cards = await itemsBySet(
      transaction,
      ids,
      `select c.set_id, ${itemColumns} from cards c where c.set_id = any(?::int[])`
    )
    const printed = await itemsBySet(
      transaction,
      ids,
      `select s.id as set_id, ${itemColumns} from cards c ${joinPrintedIn} where s.id = any(?::int[])`
    )
    const { rows: stored } = await transaction.raw<{ rows: { set_id: number; digest: string }[] }>(
      'select set_id, digest from set_listings where set_id = any(?::int[])',
      [ids]
    )
    const digests = new Map(stored.map(({ set_id: id, digest }) => [id, digest]))
    const changed = batch
      .map(({ id, game }) => ({ id, game, ...listingOf(cards.get(id) ?? [], printed.get(id) ?? []) }))
      .filter(({ id, digest }) => digests.get(id) !== digest)
    const replaced = changed.filter(({ id }) => digests.has(id)).map(({ id }) => id)
    if (replaced.length > 0) await transaction.raw('delete from set_listings where set_id = any(?::int[])', [replaced])
    if (changed.length > 0)
      await copyInto(
        transaction,
        'set_listings',
        ['set_id', 'game', 'items', 'cards', 'printings', 'printing_count', 'digest'],
        changed.map(({ id, game, items, cards, printings, printing_count: printingCount, digest }) => [
          id,
          game,
          items,
          cards,
          printings,
          printingCount,
          digest
        ])
      )
  }
}

/** Writes the card lists of `touched_sets`, where they differ from the stored ones. */
export const listCards = async (transaction: Transaction): Promise<void> => {
  await writeListings(transaction, 'id in (select id from touched_sets)')
}

const listAllCards = async (transaction: Transaction): Promise<void> => {
  await writeListings(transaction, 'true')
}

/** Writes the card lists of sets that have none, because a version without card lists imported them. */
export const listMissingCards = async (transaction: Transaction): Promise<void> => {
  await writeListings(transaction, 'not exists (select from set_listings l where l.set_id = s.id)')
}

/**
 * Updates the table `card_hashes`, which leads from content hashes to cards, for these games; writes only differences.
 */
export const deriveHashes: Projection = async (transaction, games) => {
  await transaction.raw(
    `
    delete from card_hashes h where game = any(?) and not exists (
      select from cards c where c.sku = h.sku and c.game = h.game and c.content_hash = h.content_hash)`,
    [[...games]]
  )
  await transaction.raw(
    `
    insert into card_hashes (content_hash, game, sku) select content_hash, game, sku from cards c
    where game = any(?) and not exists (select from card_hashes h where h.content_hash = c.content_hash)`,
    [[...games]]
  )
}

const sample = storedCardOf(sampleCard('example'))
const sampleItem = { ...sampleCard('example'), content_hash: sample.contentHash }
/**
 * A hash of the form of stored documents and card lists. When the form changes, every snapshot gets a new digest and is
 * imported again.
 */
export const documentForm = hashCanonical([sample.digest, listingOf([sampleItem], [sampleItem]).digest])

const batchSize = 2000

/** SQL that selects the last successful run of each source. */
const latest =
  "select distinct on (source) id, source, document_form from runs where status = 'succeeded' order by source, id desc"

/** Recomputes the content hashes of all sets, which is cheap because each covers few facts. */
async function refreshSets(transaction: Transaction): Promise<void> {
  const { rows: sets } = await transaction.raw<{ rows: (SetFacts & { id: number })[] }>(
    'select id, game, code as set_code, name, released_on, declared_total, card_count from sets'
  )
  await transaction.raw(
    'update sets s set content_hash = n.content_hash from unnest(?::int[], ?::text[]) as n(id, content_hash) where s.id = n.id and s.content_hash <> n.content_hash',
    [sets.map(({ id }) => id), sets.map(setContentHash)]
  )
}

/**
 * Rewrites documents, set hashes and card lists that an earlier version of the service stored, from the stored facts;
 * `form` identifies the current form. An import could not do it, because the files of a source may be missing when a
 * new version starts. Runs in one transaction and returns the number of documents that differed.
 */
export async function refreshDocuments(
  { bulk }: Pick<Database, 'bulk'>,
  form: string,
  report: (done: number) => void = () => undefined
): Promise<number> {
  return await bulk.transaction(async transaction => {
    await lockCardWrites(transaction)
    const { rows: old } = await transaction.raw<{ rows: { id: number; source: string }[] }>(
      `select id, source from (${latest}) l where document_form is distinct from ?`,
      [form]
    )
    if (old.length === 0) {
      await listMissingCards(transaction)
      return 0
    }
    await bumpCatalogueVersion(transaction)
    let written = 0
    for (let after = '', done = 0, size = batchSize; size === batchSize; done += size) {
      report(done)
      const { rows: cards } = await transaction.raw<{ rows: CardFacts[] }>(
        `
        select ${cardFieldNames.join(', ')}
        from cards where sources && ?::text[] and sku collate "C" > ? order by sku collate "C" limit ${batchSize}`,
        [old.map(({ source }) => source), after]
      )
      size = cards.length
      after = cards.at(-1)?.sku ?? after
      const made = cards.map(card => storedCardOf(card))
      await recordRewritten(
        transaction,
        cards.map(({ sku }) => sku),
        made.map(({ contentHash }) => contentHash)
      )
      const { rowCount } = await transaction.raw<{ rowCount: number }>(
        `
        update cards c set content_hash = n.content_hash, document = n.document, digest = n.digest, updated_at = now()
        from unnest(?::text[], ?::text[], ?::text[], ?::text[]) as n(sku, content_hash, document, digest)
        where c.sku = n.sku and c.digest <> n.digest`,
        [
          cards.map(({ sku }) => sku),
          made.map(({ contentHash }) => contentHash),
          made.map(({ document }) => document),
          made.map(({ digest }) => digest)
        ]
      )
      written += rowCount
    }
    await refreshSets(transaction)
    await listAllCards(transaction)
    const { rows: games } = await transaction.raw<{ rows: { token: string }[] }>('select token from games')
    await deriveHashes(
      transaction,
      games.map(({ token }) => token)
    )
    await transaction.raw('update runs set document_form = ? where id = any(?::bigint[])', [
      form,
      old.map(({ id }) => id)
    ])
    return written
  })
}
