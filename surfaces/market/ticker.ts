import { closed, Type } from 'pantry/data'
import { repeatedly } from '../repeatedly.ts'
import { applyAllDue } from './due.ts'
import type { Store } from './row.ts'

/** Key of the advisory lock of the one who applies what is due. The number only has to be our own. */
const tickerLock = 0x6d61_726b

/** Applies what is due, unless another process does. Gives how many auctions changed. */
export async function tick(store: Store): Promise<number> {
  return await store.knex.transaction(async transaction => {
    const [turn] = await store.rows(
      closed({ mine: Type.Boolean() }),
      transaction.raw('select pg_try_advisory_xact_lock(?) as mine', [tickerLock])
    )
    return turn?.mine === true ? await applyAllDue(store) : 0
  })
}

/** Ticks until it is stopped. Whoever reads an auction applies what is due to it anyway. */
export const startTicker = (store: Store, everyMs: number, report: (error: unknown) => void): (() => Promise<void>) =>
  repeatedly(async () => await tick(store), everyMs, report)
