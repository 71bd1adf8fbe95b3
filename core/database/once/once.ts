import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { Type } from '../../canonical/type.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { AnswerOnce } from '../../plan/kind.ts'
import type { ReadRows } from '../rows.ts'
import { withKeys } from './keys.ts'
import { keptIn } from './store.ts'

/**
 * Runs work that writes. In a request with an idempotency key it is part of the transaction in which the answer is
 * kept; otherwise it has a transaction of its own.
 */
export type RunChange = <T>(work: (transaction: Knex.Transaction) => Promise<T>) => Promise<T>

/** Whether a key is locked now. The lock of a process that dies ends with its connection. */
const Lock = Type.Object({ is_held: Type.Boolean() })

const running = (): SurfaceError =>
  new SurfaceError(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first request with this idempotency key is still being answered. Please send it again in a moment.',
    { headers: { 'Retry-After': '1' }, details: { in: 'header', field: 'Idempotency-Key' } }
  )

/** Lets at most `most` of the work that is given run at a time. The rest waits in order. */
function limitTo(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = most
  return async work => {
    if (free > 0) free -= 1
    else
      await new Promise<void>(resolve => {
        waiting.push(resolve)
      })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/**
 * Returns the functions that write with a pool. At most `most` requests with a key run at a time, because each holds a
 * connection while the handler may need another.
 */
export function openOnce(knex: Knex, rows: ReadRows, most: number): Readonly<{ change: RunChange; once: AnswerOnce }> {
  const current = new AsyncLocalStorage<Knex.Transaction>()
  const inTurn = limitTo(most)
  return {
    change: async work => {
      const outer = current.getStore()
      return outer === undefined || outer.isCompleted() ? await knex.transaction(work) : await outer.transaction(work)
    },
    once: async (request, work) =>
      await inTurn(
        async () =>
          await knex.transaction(async transaction => {
            const [lock] = await rows(
              Lock,
              transaction.raw('select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as is_held', [request.id])
            )
            if (lock?.is_held !== true) throw running()
            return await withKeys(
              keptIn(transaction, rows),
              [request],
              async once => await once(request, async () => await current.run(transaction, work))
            )
          })
      )
  }
}
