import { closed, Text, Type, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import type { ActName } from '../accounts/act-kinds.ts'
import { noteAct, operator } from '../accounts/acts.ts'
import { requireOther } from '../accounts/own.ts'
import type { Asker } from './perform.ts'
import type { Store } from './row.ts'

/** Who acts at the machine: with what an admin may. */
export const operatorAsks: Asker = { person: operator, isAdmin: true, route: 'command', key: undefined }

export const severities = ['low', 'medium', 'high'] as const

/** What an admin asks for with a signal. */
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

/** Sets a signal of fraud; from `medium` on it takes points until it is resolved. Gives its id. */
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

/** Resolves a signal; undefined where there is none that holds, 409 for whom it is about. */
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
 * Removes a review, by its id or by the auction and whose it is, with the reason: nobody finds it, and it counts no
 * longer.
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

/** A signal of fraud that holds. */
export const Signal = closed({
  id: Text,
  username: Text,
  severity: Type.Enum([...severities]),
  reason: Text,
  set_at: Text
})

/** Signals that hold, the newest first. */
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
