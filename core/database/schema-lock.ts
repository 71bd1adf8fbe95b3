import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'

/** Key of the advisory lock: the text `pantry` in ASCII. */
const lockKey = 0x70616e747279

/** Milliseconds between two attempts to get the lock. */
const pause = 100

/**
 * Runs work in a transaction that holds the advisory lock of the schema, so that one process at a time changes it. The
 * lock is asked for again and again, each time in a new transaction: PostgreSQL makes an index concurrently only when
 * every transaction with a snapshot has ended, also one that waits for a lock. In a transaction of the caller it is
 * waited for.
 */
export async function withSchemaLock<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  if (knex.isTransaction === true)
    return await knex.transaction(async trx => {
      await trx.raw('select pg_advisory_xact_lock(?)', [lockKey])
      return await work(trx)
    })
  for (;;) {
    const done = await knex.transaction(
      async trx => {
        const { rows } = await trx.raw<{ rows: { ok: boolean }[] }>('select pg_try_advisory_xact_lock(?) as ok', [
          lockKey
        ])
        return rows[0]?.ok === true ? { value: await work(trx) } : undefined
      },
      // With another level a transaction keeps its snapshot until it ends.
      { isolationLevel: 'read committed' }
    )
    if (done !== undefined) return done.value
    await sleep(pause)
  }
}
