import { inTransaction, type Store } from '../common/repository.ts'
import { applyAllDue } from './due.ts'
import { placeBid } from './bidding.ts'
import { cancelAuction, storeListing, submitListing, type ListingRequest } from './listing.ts'
import { operatorActor } from './operating.ts'
import { perform, type Actor } from './perform.ts'
import { markPaid } from './trade.ts'

const sku = 'op-op01-001-en'

type SeededAuctions = Readonly<
  Record<'draft' | 'scheduled' | 'live_english' | 'live_dutch' | 'buy_now' | 'ended' | 'paid' | 'cancelled', string>
>

/**
 * Seeds an auction in every state with the functions that requests use, but without the checks that the catalogue has
 * the card and that the seller may trade.
 */
export async function seedAuctions(store: Store, seller: string, buyer: string): Promise<SeededAuctions> {
  const asker = (person: string): Actor => ({ person, isAdmin: false, route: 'seed', key: undefined })
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
  const draft = async (title: string, more: Partial<ListingRequest> = {}): Promise<string> => {
    const listing = {
      sku,
      title,
      condition: 'NM',
      auction_type: 'english',
      starting_price: 1000,
      ends_at: inHours(72),
      ...more
    } as const
    const { auction_id: id } = await inTransaction(
      store,
      async transaction => await storeListing(transaction, seller, listing)
    )
    return id
  }
  const submitted = async (title: string, more?: Partial<ListingRequest>): Promise<string> => {
    const id = await draft(title, more)
    await perform(store, asker(seller), id, {}, submitListing)
    return id
  }
  const bought = async (title: string): Promise<string> => {
    const id = await submitted(title, { auction_type: 'buy_now' })
    await perform(store, asker(buyer), id, { amount: 1000 }, placeBid)
    return id
  }
  const [paid, cancelled, live] = [
    await bought('Paid'),
    await submitted('Cancelled'),
    await submitted('Live, English', { reserve_price: 3000, buy_now_price: 9000, allow_best_offer: true })
  ]
  await perform(store, operatorActor, paid, {}, markPaid)
  await perform(store, asker(seller), cancelled, { reason: 'It was damaged.' }, cancelAuction)
  await perform(store, asker(buyer), live, { amount: 1200 }, placeBid)
  const seeded = {
    draft: await draft('Draft'),
    scheduled: await submitted('Scheduled', { starts_at: inHours(24) }),
    live_english: live,
    live_dutch: await submitted('Live, Dutch', {
      auction_type: 'dutch',
      starting_price: 5000,
      dutch_end_price: 1000,
      dutch_price_drop: 100,
      dutch_drop_interval_seconds: 600
    }),
    buy_now: await submitted('To buy now', { auction_type: 'buy_now', starting_price: 1500 }),
    ended: await bought('Ended'),
    paid,
    cancelled
  }
  await applyAllDue(store)
  return seeded
}
