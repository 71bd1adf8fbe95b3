import { closed, Text, Type, type DataOf, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { conflict } from '../common/errors.ts'
import { lockPerson, RowId, type Store } from '../common/repository.ts'
import { disputeOutcomes, OptionalLicense } from './auction.ts'
import { disputeDays } from './bidding.ts'
import { keyed } from './locks.ts'
import { requireAct, type ActHandler } from './perform.ts'
import { scoreNow } from './trust.ts'

export const AddressRequest = keyed({
  address: Type.String({
    minLength: 5,
    maxLength: 1000,
    description: 'Seen by the seller and admins alone, and deleted 30 days after receipt or dispute.'
  })
})
export const ShippedRequest = keyed({
  carrier: Type.Optional(Type.String({ maxLength: 80 })),
  tracking_number: Type.Optional(Type.String({ maxLength: 80 }))
})
export const ReviewRequest = keyed({
  stars: Type.Integer({ minimum: 1, maximum: 5 }),
  text: Type.Optional(Type.String({ maxLength: 2000, description: 'No name, no address.' })),
  license: OptionalLicense
})
export const DisputeRequest = keyed({
  statement: Type.String({
    minLength: 10,
    maxLength: 2000,
    description: 'What is wrong. Admins read it, and the other side.'
  })
})
export const DecisionRequest = keyed({
  outcome: Type.Enum(disputeOutcomes, { description: '`open` takes the dispute up.' }),
  reason: Type.String({ minLength: 1, maxLength: 2000 })
})

/** Stores where to send a purchase. It replaces an address that was given earlier. */
export const giveAddress: ActHandler<DataOf<typeof AddressRequest>> = async ({
  store,
  row,
  asker,
  body: { address }
}) => {
  requireAct(row, asker, 'address')
  if (row.shipped_at !== null) throw conflict('It was shipped already.', { shipped_at: row.shipped_at })
  await store
    .knex('auction_addresses')
    .insert({ auction: row.id, person: asker.person, address })
    .onConflict('auction')
    .merge(['address', 'given_at'])
  return { act: 'address', change: {} }
}

export const markPaid: ActHandler<JsonObject> = ({ row, at, asker }) => {
  requireAct(row, asker, 'paid')
  if (row.winning_bid === null) throw conflict('It has no winner.', { status: row.status })
  return { act: 'paid', noted: {}, change: { paid_at: at } }
}

export const markShipped: ActHandler<DataOf<typeof ShippedRequest>> = ({
  row,
  at,
  asker,
  body: { carrier, tracking_number: number }
}) => {
  requireAct(row, asker, 'shipped')
  if (row.shipped_at !== null) throw conflict('It was shipped already.', { shipped_at: row.shipped_at })
  return {
    act: 'shipped',
    noted: {},
    change: { shipped_at: at, carrier: carrier ?? null, tracking_number: number ?? null }
  }
}

export const markReceived: ActHandler<JsonObject> = ({ row, at, asker }) => {
  requireAct(row, asker, 'received')
  if (row.shipped_at === null || row.received_at !== null)
    throw conflict(row.shipped_at === null ? 'It was not shipped yet.' : 'It was received already.', {
      shipped_at: row.shipped_at,
      received_at: row.received_at
    })
  return { act: 'received', noted: {}, change: { received_at: at } }
}

/**
 * Stores a review: each party writes one about the other. With it the score is stored that its author has when writing,
 * which decides its weight for good.
 */
export const writeReview: ActHandler<DataOf<typeof ReviewRequest>> = async ({
  store,
  row,
  asker,
  body: { stars, text = '', license = 'NOASSERTION' }
}) => {
  requireAct(row, asker, 'review')
  if (row.received_at === null) throw conflict('A trade is reviewed once it was received.', { received_at: null })
  const by = row.seller === asker.person ? 'seller' : 'winner'
  const review = {
    auction: row.id,
    author: asker.person,
    about: by === 'seller' ? row.winner : row.seller,
    by,
    stars,
    text,
    license,
    reviewer_score: await scoreNow(store, asker.person)
  }
  const written = await store.rows(
    RowId,
    store.knex('auction_reviews').insert(review).onConflict(['auction', 'by']).ignore().returning('id')
  )
  if (written.length === 0) throw conflict('You reviewed this trade already.', { by })
  return { act: 'review', change: {} }
}

/**
 * Opens a dispute. It affects no score until an admin takes it up or decides it, so that one party alone cannot damage
 * a score.
 */
export const openDispute: ActHandler<DataOf<typeof DisputeRequest>> = ({
  row,
  now,
  at,
  asker,
  body: { statement }
}) => {
  requireAct(row, asker, 'dispute')
  if (row.dispute !== null) throw conflict('There is a dispute already.', { dispute: row.dispute })
  if (row.received_at !== null && now > Date.parse(row.received_at) + disputeDays * 86_400_000)
    throw conflict(`It was received more than ${disputeDays} days ago.`, { received_at: row.received_at })
  return {
    act: 'dispute',
    change: {
      dispute: 'reported',
      dispute_by: row.seller === asker.person ? 'seller' : 'winner',
      dispute_statement: statement,
      dispute_at: at
    }
  }
}

export const decideDispute: ActHandler<DataOf<typeof DecisionRequest>> = ({
  row,
  at,
  asker,
  body: { outcome, reason }
}) => {
  requireAct(row, asker, 'decide')
  if (row.dispute !== 'reported' && row.dispute !== 'open')
    throw conflict('There is no dispute to decide.', { dispute: row.dispute })
  return {
    act: 'decide',
    noted: { outcome, reason },
    change: { dispute: outcome, dispute_reason: reason, dispute_at: at }
  }
}

const OpenTrade = closed({ id: Text, status: Text })

/**
 * Query for what still binds a person: scheduled and live auctions that they sell, live ones that they lead or have an
 * open offer in, and trades that are unfinished or disputed.
 */
const open = `
  select a.id, a.status from auctions a where (a.seller = :person and a.status in ('scheduled', 'live'))
    or (a.status = 'live' and exists (select from auction_bids b where b.auction = a.id and b.bidder = :person and (b.id = a.leading_bid or b.state = 'open')))
    or ((a.seller = :person or a.winner = :person) and a.winning_bid is not null and (a.status = 'ended' or (a.status = 'paid' and (a.received_at is null or a.dispute in ('reported', 'open')))))
  order by a.created_at`

/**
 * Runs in the transaction that erases a person: 409, with a list of the auctions, if the person still sells, leads,
 * offers or trades.
 */
export async function requireNoOpenTrades(
  { rows }: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  person: string
): Promise<void> {
  await lockPerson(transaction, person)
  const found = await rows(OpenTrade, transaction.raw(open, { person }))
  if (found.length > 0)
    throw conflict('Bids or trades of yours are open. Please end them first.', {
      auctions: found.map(({ id, status }) => ({ id, status }))
    })
}
