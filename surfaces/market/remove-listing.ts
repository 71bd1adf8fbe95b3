import { noteAct } from '../accounts/acts.ts'
import { cancelAuction } from './listing.ts'
import { perform, type Asker } from './perform.ts'
import { lockAuction } from './lock.ts'
import { idOf, noAuction, type Store } from './row.ts'
import { transitionOf } from './states.ts'

/**
 * Takes a listing out of sight for everyone but its parties and admins, with a reason that is written down. One that is not over is cancelled as well; a
 * trade of one that is goes on between its parties. Gives its id; 404 where there is none.
 */
export async function removeListing (store: Store, asker: Asker, id: string, reason: string): Promise<string> {
  const isHidden = await store.knex.transaction(async transaction => {
    const { row } = await lockAuction(store, transaction, idOf(id)) ?? {}
    if (row === undefined) throw noAuction(id)
    if (row.removed_at !== null) return true
    if (row.status !== 'ended' && transitionOf(row.status, 'cancel') !== undefined) return false
    await transaction('auctions').where({ id }).update({ removed_at: transaction.fn.now() })
    await noteAct(transaction, asker.person, 'auctions.remove', id, { reason })
    return true
  })
  if (!isHidden) await perform(store, asker, id, { reason, remove: true }, cancelAuction)
  return id
}
