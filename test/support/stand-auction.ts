import type { Knex } from 'knex'
import { transitions } from '../../surfaces/market/auction.ts'

/** The act of a surface or a form below an auction; undefined for one that reads. */
const actOf = (id: string): string | undefined => {
  if (id.endsWith('.patch')) return 'edit'
  const last = /(?:\/([a-z]+)\.post|#([a-z]+))$/.exec(id)?.slice(1).join('') ?? ''
  return transitions.find(({ act }) => [act, `${act}s`].includes(last))?.act
}

/**
 * Puts an auction where a surface finds it: of a seller, for a winner, in a state in which its act is possible; one
 * that was paid for a surface that reads.
 */
export async function standAuction(
  knex: Knex,
  { id, surface, seller, winner }: Readonly<{ id: string; surface: string; seller: string; winner: string }>
): Promise<void> {
  const act = actOf(surface)
  const status = transitions.find(one => one.act === act)?.from ?? 'paid'
  const [now, hour] = [Date.now(), 3_600_000]
  const at = (hours: number): Date => new Date(now + hours * hour)
  const [isSold, isPaid] = [status === 'ended' || status === 'paid', status === 'paid']
  await knex.transaction(async transaction => {
    // Rows as they are after many acts, which the guards of the schema would refuse one by one.
    await transaction.raw('set local session_replication_role = replica')
    for (const table of ['auction_bids', 'auction_reviews', 'auction_addresses', 'auction_events'])
      await transaction(table).where({ auction: id }).delete()
    await transaction('auctions').where({ id }).delete()
    const [bid] = await transaction('auction_bids')
      .insert({ auction: id, bidder: winner, kind: 'bid', amount: 1000, state: 'placed', at: at(-2) })
      .returning<{ id: string }[]>('id')
    await transaction('auctions').insert({
      id,
      seller,
      sku: 'op-op01-001-en',
      title: 'A card',
      condition: 'NM',
      auction_type: 'english',
      status,
      license: 'NOASSERTION',
      currency: 'GBP',
      starting_price: 1000,
      bid_increment: 100,
      allow_best_offer: true,
      is_consignment: act === 'approve',
      approval: act === 'approve' ? 'pending' : 'not_needed',
      submitted_at: status === 'draft' ? null : at(-4),
      starts_at: status === 'scheduled' ? at(1) : at(-3),
      ends_at: isSold ? at(-1) : at(2),
      ...(isSold
        ? {
            bid_count: 1,
            current_price: 1000,
            leading_bid: bid?.id,
            winning_bid: bid?.id,
            winning_price: 1000,
            winner,
            actual_end_at: at(-1)
          }
        : {}),
      ...(isPaid ? { paid_at: at(-1) } : {}),
      ...(isPaid && act !== 'shipped' ? { shipped_at: at(-1) } : {}),
      ...(isPaid && act !== 'shipped' && act !== 'received' ? { received_at: at(-1) } : {}),
      ...(act === 'decide'
        ? { dispute: 'reported', dispute_by: 'winner', dispute_statement: 'It is another card.', dispute_at: at(-1) }
        : {})
    })
    if (act === 'accept') {
      await transaction('auction_bids').where({ auction: id }).delete()
      // The number of the offer in the examples.
      await transaction('auction_bids')
        .insert({ id: 7, auction: id, bidder: winner, kind: 'offer', amount: 1500, state: 'open', at: at(-1) })
        .onConflict('id')
        .merge()
    } else if (!isSold) await transaction('auction_bids').where({ auction: id }).delete()
  })
}
