import { closed, Text } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { conflict } from '../errors.ts'
import type { Store } from './row.ts'

const Open = closed({ id: Text, status: Text })

/**
 * Query for what still binds a person: auctions that they sell or lead, open offers, and trades that are unfinished or
 * disputed.
 */
const open = `
  select a.id, a.status from auctions a where (a.seller = :person and a.status in ('scheduled', 'live'))
    or (a.status = 'live' and exists (select from auction_bids b where b.auction = a.id and b.bidder = :person and (b.id = a.leading_bid or b.state = 'open')))
    or ((a.seller = :person or a.winner = :person) and a.winning_bid is not null and (a.status = 'ended' or (a.status = 'paid' and (a.received_at is null or a.dispute in ('reported', 'open')))))
  order by a.created_at`

/** Runs in the transaction that erases a person: 409 with a list if bids or trades are open. */
export async function endTrading(
  { rows }: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  person: string
): Promise<void> {
  await transaction('people').where({ id: person }).forUpdate().select('id')
  const found = await rows(Open, transaction.raw(open, { person }))
  if (found.length > 0)
    throw conflict('Bids or trades of yours are open. Please end them first.', {
      auctions: found.map(({ id, status }) => ({ id, status }))
    })
}
