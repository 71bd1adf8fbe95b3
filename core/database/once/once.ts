import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { Type } from '../../canonical/type.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { AnswerOnce } from '../../plan/kind.ts'
import { clientOf } from '../copy.ts'
import { databaseUnavailable } from '../errors.ts'
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

/** The transaction of a request with a key. `isLost`: its connection has ended before the handler was done. */
type Keyed = { readonly transaction: Knex.Transaction; isLost: boolean }

/** Runs work until it is done or the connection of the transaction has ended: code may never come back. */
async function untilLost<T>(keyed: Keyed, work: () => Promise<T>): Promise<T> {
  const connection = await clientOf(keyed.transaction)
  let onEnd = (): void => undefined
  const lost = new Promise<never>((_, reject) => {
    onEnd = () => {
      keyed.isLost = true
      reject(databaseUnavailable())
    }
    connection.once('end', onEnd)
  })
  try {
    return await Promise.race([work(), lost])
  } finally {
    connection.off('end', onEnd)
  }
}

/**
 * Returns the functions that write with a pool. At most `most` requests with a key run at a time, because each holds a
 * connection while the handler may need another.
 */
export function openOnce(knex: Knex, rows: ReadRows, most: number): Readonly<{ change: RunChange; once: AnswerOnce }> {
  const current = new AsyncLocalStorage<Keyed>()
  const inTurn = limitTo(most)
  return {
    change: async work => {
      const keyed = current.getStore()
      // A transaction of its own would keep what the sender is told to send again.
      if (keyed?.isLost === true) throw databaseUnavailable()
      return keyed === undefined || keyed.transaction.isCompleted()
        ? await knex.transaction(work)
        : await keyed.transaction.transaction(work)
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
            const keyed = { transaction, isLost: false }
            return await withKeys(
              keptIn(transaction, rows),
              [request],
              async once =>
                await once(request, async () => await untilLost(keyed, async () => await current.run(keyed, work)))
            )
          })
      )
  }
}
