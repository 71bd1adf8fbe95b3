import type { Database } from 'pantry/database'
import { Organisations } from '../collectors/organisations.ts'
import { removeReview } from '../market/operating.ts'
import { removeListing } from '../market/remove-listing.ts'
import type { Reportable } from './schemas.ts'

/** Hides reported content, with a reason; does nothing if it is already gone. `of` is the id in the database. */
export async function removeReported(
  store: Pick<Database, 'knex' | 'rows'>,
  kind: Reportable,
  of: string,
  actor: string,
  reason: string
): Promise<void> {
  if (kind === 'organisation') await new Organisations(store).remove({ person: of }, actor, reason)
  else if (kind === 'review') await removeReview(store, { id: of }, reason, actor)
  else await removeListing(store, { person: actor, isAdmin: true, route: 'reports', key: undefined }, of, reason)
}
