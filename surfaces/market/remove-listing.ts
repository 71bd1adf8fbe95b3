import { SurfaceError } from 'pantry/data'
import { noteAct } from '../accounts/acts.ts'
import { cancelAuction } from './listing.ts'
import { hold, performWithin, rolesIn, type ActAsker } from './perform.ts'
import { idOf, noAuction, type Store } from './row.ts'
import { transitionOf } from './states.ts'

/**
 * Hides a listing from everyone but its parties and admins, and records the reason. Also cancels an auction that has
 * not ended; a trade that has begun continues. Returns the id; 404 if there is no such auction, 403 for its seller and
 * its winner.
 */
export async function removeListing(store: Store, asker: ActAsker, id: string, reason: string): Promise<string> {
  return await store.knex.transaction(async transaction => {
    const { row } = (await hold(store, transaction, idOf(id))) ?? {}
    if (row === undefined) throw noAuction(id)
    if (!rolesIn(row, asker).includes('admin'))
      throw new SurfaceError('FORBIDDEN', 'An admin who has a part in a sale does not decide it.', {
        details: { act: 'remove' }
      })
    if (row.removed_at !== null) return id
    if (row.status !== 'ended' && transitionOf(row.status, 'cancel') !== undefined)
      await performWithin(transaction, store, asker, id, { reason, remove: true }, cancelAuction)
    else {
      await transaction('auctions').where({ id }).update({ removed_at: transaction.fn.now() })
      await noteAct(transaction, asker.person, 'auctions.remove', id, { reason })
    }
    return id
  })
}
