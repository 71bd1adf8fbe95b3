import { closed, Text } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { noteAct, operator } from '../accounts/acts.ts'
import type { Asker } from './perform.ts'
import type { Store } from './row.ts'

/** Who acts at the machine: with what an admin may. */
export const operatorAsks: Asker = { person: operator, isAdmin: true, route: 'command', key: undefined }

export const severities = ['low', 'medium', 'high'] as const

const noted = async ({ knex, rows }: Store, act: string, change: (transaction: Knex.Transaction) => PromiseLike<unknown>): Promise<string | undefined> =>
  await knex.transaction(async transaction => {
    const [changed] = await rows(closed({ id: Text }), change(transaction))
    if (changed !== undefined) await noteAct(transaction, operator, act, changed.id)
    return changed?.id
  })

/** Sets a signal of fraud; from `medium` on it takes points until it is resolved. Gives its id. */
export const setSignal = async (store: Store, person: string, severity: typeof severities[number], reason: string): Promise<string | undefined> =>
  await noted(store, 'market.signal', transaction => transaction('fraud_signals').insert({ person, severity, reason }).returning('id'))

/** Resolves a signal; undefined where there is none that holds. */
export const resolveSignal = async (store: Store, id: string): Promise<string | undefined> =>
  await noted(store, 'market.resolve', transaction => transaction('fraud_signals').where({ id }).whereNull('resolved_at').update({ resolved_at: transaction.fn.now() }).returning('id'))

/** Removes the reviews of an auction by one side, with the reason: nobody finds it, and it counts no longer. */
export const removeReview = async (store: Store, auction: string, by: 'seller' | 'winner', reason: string): Promise<string | undefined> =>
  await noted(store, 'market.remove-review', transaction => transaction('auction_reviews').where({ auction, by }).whereNull('removed_at').update({ removed_at: transaction.fn.now(), removed_reason: reason }).returning('id'))
