import { closed, Text, Type, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import type { ActName } from '../accounts/act-kinds.ts'
import { noteAct, operator } from '../accounts/acts.ts'
import { requireOther } from '../accounts/own.ts'
import type { ActAsker } from './perform.ts'
import type { Store } from './row.ts'

/** The actor for commands on the server, with the rights of an admin. */
export const operatorAsks: ActAsker = { person: operator, isAdmin: true, route: 'command', key: undefined }

export const severities = ['low', 'medium', 'high'] as const

/** The body of a request that adds a fraud signal. */
export const SignalRequest = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 80, description: 'Whom it is about.' }),
    severity: Type.Enum([...severities]),
    reason: Type.String({ minLength: 3, maxLength: 2000, description: 'What you saw: kept with the signal.' })
  },
  { additionalProperties: false }
)

const noted = async (
  { knex, rows }: Store,
  actor: string,
  act: ActName,
  change: (transaction: Knex.Transaction) => PromiseLike<unknown>,
  details: JsonObject = {}
): Promise<string | undefined> =>
  await knex.transaction(async transaction => {
    const [changed] = await rows(closed({ id: Text }), change(transaction))
    if (changed !== undefined) await noteAct(transaction, actor, act, changed.id, details)
    return changed?.id
  })

/** Adds a fraud signal; one of at least `medium` severity reduces the score until it is resolved. Returns its id. */
export const setSignal = async (
  store: Store,
  person: string,
  severity: (typeof severities)[number],
  reason: string,
  actor = operator
): Promise<string | undefined> =>
  await noted(
    store,
    actor,
    'market.signal',
    transaction => transaction('fraud_signals').insert({ person, severity, reason }).returning('id'),
    { person, severity }
  )

/** Resolves a signal; undefined if there is no unresolved one of that id, 409 if it is about the actor. */
export const resolveSignal = async (store: Store, id: string, actor = operator): Promise<string | undefined> => {
  const [signal] = await store.rows(
    closed({ person: Text }),
    store.knex('fraud_signals').select('person').where({ id })
  )
  requireOther(actor, signal === undefined ? [] : [signal.person])
  return await noted(store, actor, 'market.resolve', transaction =>
    transaction('fraud_signals')
      .where({ id })
      .whereNull('resolved_at')
      .update({ resolved_at: transaction.fn.now() })
      .returning('id')
  )
}

/**
 * Removes a review, identified by its id or by auction and author, with a reason. It is no longer shown and no longer
 * counts.
 */
export const removeReview = async (
  store: Store,
  where: Readonly<{ id: string } | { auction: string; by: 'seller' | 'winner' }>,
  reason: string,
  actor = operator
): Promise<string | undefined> =>
  await noted(store, actor, 'market.remove-review', transaction =>
    transaction('auction_reviews')
      .where(where)
      .whereNull('removed_at')
      .update({ removed_at: transaction.fn.now(), removed_reason: reason })
      .returning('id')
  )

/** The schema of an unresolved fraud signal. */
export const Signal = closed({
  id: Text,
  username: Text,
  severity: Type.Enum([...severities]),
  reason: Text,
  set_at: Text
})

/** Returns the unresolved signals, the newest first. */
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
