import { SurfaceError } from 'pantry/data'
import { noteAct } from '../accounts/acts.ts'
import { cancelAuction } from './listing.ts'
import { hold, performWithin, rolesIn, type Asker } from './perform.ts'
import { idOf, noAuction, type Store } from './row.ts'
import { transitionOf } from './states.ts'

/**
 * Takes a listing out of sight for everyone but its parties and admins, with a reason that is written down. One that is
 * not over is cancelled as well; a trade of one that is goes on between its parties. Gives its id; 404 where there is
 * none, 403 for its seller and its winner.
 */
export async function removeListing(store: Store, asker: Asker, id: string, reason: string): Promise<string> {
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
