import { sha256Hex } from 'pantry/data'
import { copyInto, type Transaction } from 'pantry/database'
import { sortNaturally } from './natural-order.ts'
import type { CardItem, SetListing } from './rows.ts'
import { cardItem } from './set-document.ts'

type Item = CardItem & Readonly<{ set_id: number }>

/** The number of cards read at once. Whole sets are read, so there may be more. */
const listedAtOnce = 5000

/** Groups the ids of sets into batches of about `listedAtOnce` cards. */
function batchesOf(sets: readonly Readonly<{ id: number; card_count: number }>[]): number[][] {
  const batches: number[][] = []
  let cards = Infinity
  for (const { id, card_count: count } of sets) {
    if (cards + count > listedAtOnce) {
      batches.push([])
      cards = 0
    }
    batches.at(-1)?.push(id)
    cards += count
  }
  return batches
}

/** Returns the list of a set's cards in natural order: by number, then variant, then SKU. */
export function listingOf(cards: readonly CardItem[]): SetListing {
  const sorted = sortNaturally(cards, ({ card_number: number, variant, sku }) => [number, variant, sku])
  // This JSON is canonical: the members of each item are sorted, none is a number, and all texts are well-formed.
  const items = JSON.stringify(sorted.map(cardItem))
  return { items, cards: sorted.length, digest: sha256Hex(items) }
}

/**
 * Writes the card lists of the sets that match `condition` (an SQL condition on `sets s`), where they differ from the
 * stored ones.
 */
async function writeListings(transaction: Transaction, condition: string): Promise<void> {
  const { rows: sets } = await transaction.raw<{ rows: { id: number; card_count: number }[] }>(
    `select s.id, s.card_count from sets s where ${condition} order by s.id`
  )
  for (const ids of batchesOf(sets)) {
    const cards = new Map(ids.map(id => [id, [] as CardItem[]]))
    const { rows } = await transaction.raw<{ rows: Item[] }>(
      'select set_id, sku, card_number, lang, name, variant, rarity, content_hash from cards where set_id = any(?::int[])',
      [ids]
    )
    for (const row of rows) cards.get(row.set_id)?.push(row)
    const { rows: stored } = await transaction.raw<{ rows: { set_id: number; digest: string }[] }>(
      'select set_id, digest from set_listings where set_id = any(?::int[])',
      [ids]
    )
    const digests = new Map(stored.map(({ set_id: id, digest }) => [id, digest]))
    const changed = [...cards]
      .map(([id, items]) => ({ id, ...listingOf(items) }))
      .filter(({ id, digest }) => digests.get(id) !== digest)
    const replaced = changed.filter(({ id }) => digests.has(id)).map(({ id }) => id)
    if (replaced.length > 0) await transaction.raw('delete from set_listings where set_id = any(?::int[])', [replaced])
    if (changed.length > 0)
      await copyInto(
        transaction,
        'set_listings',
        ['set_id', 'items', 'cards', 'digest'],
        changed.map(({ id, items, cards, digest }) => [id, items, cards, digest])
      )
  }
}

/** Writes the card lists of the sets that an import changed. */
export const listCards = async (transaction: Transaction): Promise<void> => {
  await writeListings(transaction, 'id in (select id from touched_sets)')
}

/** Writes the card lists of all sets. */
export const listAllCards = async (transaction: Transaction): Promise<void> => {
  await writeListings(transaction, 'true')
}

/** Writes the card lists of sets that have none, because a version without card lists imported them. */
export const listMissingCards = async (transaction: Transaction): Promise<void> => {
  await writeListings(transaction, 'not exists (select from set_listings l where l.set_id = s.id)')
}
