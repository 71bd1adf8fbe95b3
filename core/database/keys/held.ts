import type { Knex } from 'knex'
import { digestOf, keyTag } from '../../access/access.ts'

/**
 * What is done with any table of keys. Such a table has the columns `id`, `digest`, `expires_at`, `last_used_on` and
 * `revoked_at`; statements that read know it as `k`.
 */

type Query = Knex.QueryBuilder<Record<string, unknown>, unknown>

/** Adds that a key is not revoked and has not ended. */
export const onlyHolding = <Q extends Query>(query: Q): Q =>
  query.whereNull('k.revoked_at').whereRaw('(k.expires_at is null or k.expires_at > now())') as Q

/**
 * Returns the statement that finds a key by its text, if it holds, with the column `is_stale`: whether its day of use
 * is to be written. A text that does not have the form of a key is not looked up.
 */
export const keyByText = (knex: Knex, table: string, text: string): Query | undefined =>
  keyTag(text) === undefined
    ? undefined
    : onlyHolding(
        knex(`${table} as k`)
          .select(knex.raw('k.last_used_on is distinct from current_date as is_stale'))
          .where('k.digest', digestOf(text))
      )

/** Writes that a key is used today: the day, and nothing more. */
export const markKeyUsed = async (knex: Knex, table: string, id: string): Promise<void> => {
  await knex(table)
    .where({ id })
    .update({ last_used_on: knex.raw('current_date') })
}

/** Returns the statement that changes keys that are not revoked, and gives their ids. */
export const changeKeys = (knex: Knex, table: string, keys: object, change: object): PromiseLike<unknown> =>
  knex(table).where(keys).whereNull('revoked_at').update(change).returning('id')
