import { closed, nullable, SurfaceError, Text, Type } from 'pantry/data'
import { People } from '../accounts/people.ts'
import { decideListing } from './listing.ts'
import { operatorAsks, removeReview, resolveSignal, setSignal, type severities } from './operating.ts'
import { perform } from './perform.ts'
import { removeListing } from './remove-listing.ts'
import type { Store } from './row.ts'
import { disputeStates, type DisputeOutcome } from './states.ts'
import { decideDispute, markPaid } from './trade.ts'

type Order = Readonly<{
  action: 'approve' | 'refuse' | 'paid' | 'remove' | 'dispute' | 'signal' | 'resolve' | 'remove-review'
  of: string
  reason: string
  outcome: DisputeOutcome
  severity: (typeof severities)[number]
  by: 'seller' | 'winner'
}>
type Found = Readonly<{ isDone: true; id: string } | { isDone: false; why: string }>

/**
 * An auction that waits for an operator: for approval, for its payment to be recorded, or for the decision of a
 * dispute.
 */
export const Waiting = closed({
  id: Text,
  title: Text,
  status: Text,
  waits: Type.Enum(['approval', 'payment', 'a decision']),
  statement: nullable(Text),
  dispute: nullable(Type.Enum([...disputeStates])),
  updated_at: Text
})

/** Returns the auctions that wait for an operator. */
export const waiting = async ({ knex, rows }: Store) =>
  await rows(
    Waiting,
    knex('auctions')
      .select(
        'id',
        'title',
        'status',
        { statement: 'dispute_statement' },
        'dispute',
        'updated_at',
        knex.raw(
          "case when dispute in ('reported', 'open') then 'a decision' when status = 'ended' then 'payment' else 'approval' end as waits"
        )
      )
      .whereRaw(
        "dispute in ('reported', 'open') or (status = 'scheduled' and approval = 'pending') or (status = 'ended' and winning_bid is not null)"
      )
      .orderBy('updated_at')
      .orderBy('id')
      .limit(500)
  )

async function done(store: Store, { action, of, reason, outcome, severity, by }: Order): Promise<string | undefined> {
  switch (action) {
    case 'approve':
    case 'refuse':
      return (
        await perform(
          store,
          operatorAsks,
          of,
          { decision: action, ...(reason === '' ? {} : { notes: reason }) },
          decideListing
        )
      ).auction_id
    case 'paid':
      return (await perform(store, operatorAsks, of, {}, markPaid)).auction_id
    case 'remove':
      return await removeListing(store, operatorAsks, of, reason)
    case 'dispute':
      return (await perform(store, operatorAsks, of, { outcome, reason }, decideDispute)).auction_id
    case 'resolve':
      return await resolveSignal(store, of)
    case 'remove-review':
      return await removeReview(store, { auction: of, by }, reason)
    case 'signal': {
      const person = await new People(store).byName(of)
      return person === undefined ? undefined : await setSignal(store, person.id, severity, reason)
    }
  }
}

/** Carries out an operator's order, or returns why it cannot. */
export async function carryOut(store: Store, order: Order): Promise<Found> {
  try {
    const id = await done(store, order)
    return id === undefined
      ? { isDone: false, why: `There is no such thing as \`${order.of}\`.` }
      : { isDone: true, id }
  } catch (error) {
    if (error instanceof SurfaceError) return { isDone: false, why: error.message }
    throw error
  }
}
