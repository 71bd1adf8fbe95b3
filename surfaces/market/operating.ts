import { closed, nullable, SurfaceError, Text, Type, type JsonObject } from 'pantry/data'
import { operator, changeAndRecord } from '../people/acts.ts'
import { requireOther } from '../people/callers.ts'
import { People } from '../people/people.ts'
import type { Store } from '../common/repository.ts'
import { disputeStates, type DisputeOutcome } from './auction.ts'
import { decideListing, removeListing } from './listing.ts'
import { perform, type Actor, type ActHandler } from './perform.ts'
import { decideDispute, markPaid } from './trade.ts'

export const operatorActor: Actor = { person: operator, isAdmin: true, route: 'command', key: undefined }

export const severities = ['low', 'medium', 'high'] as const

export const SignalRequest = closed({
  username: Type.String({ minLength: 1, maxLength: 80, description: 'Whom it is about.' }),
  severity: Type.Enum(severities),
  reason: Type.String({ minLength: 3, maxLength: 2000, description: 'What you saw: kept with the signal.' })
})

/** Adds a fraud signal; one of at least `medium` severity reduces the score until it is resolved. Returns its id. */
export const setSignal = async (
  store: Store,
  person: string,
  severity: (typeof severities)[number],
  reason: string,
  actor = operator
): Promise<string | undefined> =>
  await changeAndRecord(
    store,
    actor,
    'market.signal',
    transaction => transaction('fraud_signals').insert({ person, severity, reason }).returning('id'),
    { person, severity }
  )

const SignalPerson = closed({ person: Text })

/**
 * Resolves a fraud signal, which no longer counts, and returns its id: undefined if there is no unresolved signal of
 * that id, 409 if it is about the actor.
 */
export async function resolveSignal(store: Store, id: string, actor = operator): Promise<string | undefined> {
  const found = await store.rows(SignalPerson, store.knex('fraud_signals').select('person').where({ id }))
  requireOther(
    actor,
    found.map(({ person }) => person)
  )
  return await changeAndRecord(store, actor, 'market.resolve', transaction =>
    transaction('fraud_signals')
      .where({ id })
      .whereNull('resolved_at')
      .update({ resolved_at: transaction.fn.now() })
      .returning('id')
  )
}

/**
 * Removes a review, which is no longer shown and no longer counts. Returns its id; undefined if there is none that is
 * not removed.
 */
export const removeReview = async (
  store: Store,
  where: Readonly<{ id: string } | { auction: string; by: 'seller' | 'winner' }>,
  reason: string,
  actor = operator
): Promise<string | undefined> =>
  await changeAndRecord(store, actor, 'market.remove-review', transaction =>
    transaction('auction_reviews')
      .where(where)
      .whereNull('removed_at')
      .update({ removed_at: transaction.fn.now(), removed_reason: reason })
      .returning('id')
  )

export const Signal = closed({ id: Text, username: Text, severity: Type.Enum(severities), reason: Text, set_at: Text })

export const signals = async ({ knex, rows }: Store) =>
  await rows(
    Signal,
    knex('fraud_signals as f')
      .join('people as p', 'p.id', 'f.person')
      .select('f.id', 'p.username', 'f.severity', 'f.reason', 'f.set_at')
      .whereNull('f.resolved_at')
      .orderBy('f.set_at', 'desc')
      .orderBy('f.id')
      .limit(500)
  )

type OperatorCommand = Readonly<{
  action: 'approve' | 'refuse' | 'paid' | 'remove' | 'dispute' | 'signal' | 'resolve' | 'remove-review'
  of: string
  reason: string
  outcome: DisputeOutcome
  severity: (typeof severities)[number]
  by: 'seller' | 'winner'
}>
type OperatorResult = Readonly<{ isDone: true; id: string } | { isDone: false; why: string }>

/** An auction that waits for approval, for its payment to be recorded, or for the decision of a dispute. */
export const PendingAuction = closed({
  id: Text,
  title: Text,
  status: Text,
  waits: Type.Enum(['approval', 'payment', 'a decision']),
  statement: nullable(Text),
  dispute: nullable(Type.Enum(disputeStates)),
  updated_at: Text
})

export const pendingAuctions = async ({ knex, rows }: Store) =>
  await rows(
    PendingAuction,
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

async function execute(
  store: Store,
  { action, of, reason, outcome, severity, by }: OperatorCommand
): Promise<string | undefined> {
  const act = async <Body extends JsonObject>(body: Body, handler: ActHandler<Body>): Promise<string> =>
    (await perform(store, operatorActor, of, body, handler)).auction_id
  switch (action) {
    case 'approve':
    case 'refuse':
      return await act({ decision: action, ...(reason === '' ? {} : { notes: reason }) }, decideListing)
    case 'paid':
      return await act({}, markPaid)
    case 'remove':
      return await removeListing(store, operatorActor, of, reason)
    case 'dispute':
      return await act({ outcome, reason }, decideDispute)
    case 'resolve':
      return await resolveSignal(store, of)
    case 'remove-review':
      return await removeReview(store, { auction: of, by }, reason)
    case 'signal': {
      const person = await new People(store).byName(of)
      return person && (await setSignal(store, person.id, severity, reason))
    }
  }
}

/** Carries out an order of the operator, or returns why it was refused. */
export async function carryOut(store: Store, order: OperatorCommand): Promise<OperatorResult> {
  try {
    const id = await execute(store, order)
    return id === undefined
      ? { isDone: false, why: `There is no such thing as \`${order.of}\`.` }
      : { isDone: true, id }
  } catch (error) {
    if (error instanceof SurfaceError) return { isDone: false, why: error.message }
    throw error
  }
}
