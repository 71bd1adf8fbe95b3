import type { AuctionRow } from './row.ts'

/**
 * Which auctions everyone may find, in SQL over `auctions as a`: submitted, own stock or approved, not removed, and not
 * of somebody who is suspended.
 */
export const isPublished = `a.status <> 'draft' and a.submitted_at is not null and a.approval in ('not_needed', 'approved') and a.removed_at is null
  and not exists (select from people s where s.id = a.seller and s.suspended_at is not null)`

/**
 * Whose profile is public now, in SQL over `people as p`: they agreed to the notice that holds (`:notice`), and are not
 * suspended.
 */
export const isPublic = `p.suspended_at is null and exists (select from publication_receipts r where r.person = p.id and r.scope = 'profile' and r.notice_version = :notice and r.withdrawn_at is null)`

type Asks = Readonly<{ person: string | undefined; isAdmin: boolean }>

/**
 * Whether an auction is somebody's to see, whoever else finds it: its seller, its winner and admins see it in any case.
 */
export const isTheirs = (row: Pick<AuctionRow, 'seller' | 'winner'>, { person, isAdmin }: Asks): boolean =>
  isAdmin || (person !== undefined && (row.seller === person || row.winner === person))
