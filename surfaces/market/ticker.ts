import { closed, Type } from 'pantry/data'
import { repeatedly } from '../repeatedly.ts'
import { applyAllDue } from './due.ts'
import type { Store } from './row.ts'

/** Key of the advisory lock for applying due transitions. Any number that no other lock of this service uses. */
const tickerLock = 0x6d61_726b

/** Applies due transitions unless another process does so now. Returns the number of transitions. */
export async function tick(store: Store): Promise<number> {
  return await store.knex.transaction(async transaction => {
    const [turn] = await store.rows(
      closed({ mine: Type.Boolean() }),
      transaction.raw('select pg_try_advisory_xact_lock(?) as mine', [tickerLock])
    )
    return turn?.mine === true ? await applyAllDue(store) : 0
  })
}

/** Ticks until it is stopped. Between ticks, readers of an auction apply its due transitions themselves. */
export const startTicker = (store: Store, everyMs: number, report: (error: unknown) => void): (() => Promise<void>) =>
  repeatedly(async () => await tick(store), everyMs, report)
