import { closed, Type } from 'pantry/data'
import { applyAllDue } from './due.ts'
import type { Store } from './row.ts'

/** Key of the advisory lock of the one who applies what is due. The number only has to be our own. */
const tickerLock = 0x6d61_726b

/** Applies what is due, unless another process does. Gives how many auctions changed. */
export async function tick (store: Store): Promise<number> {
  return await store.knex.transaction(async transaction => {
    const [turn] = await store.rows(closed({ mine: Type.Boolean() }), transaction.raw('select pg_try_advisory_xact_lock(?) as mine', [tickerLock]))
    return turn?.mine === true ? await applyAllDue(store) : 0
  })
}

/** Ticks until it is stopped. What fails is tried again with the next tick: whoever reads an auction applies what is due to it anyway. */
export function startTicker (store: Store, everyMs: number, report: (error: unknown) => void): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = tick(store).catch(report).finally(() => { isRunning = false })
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
