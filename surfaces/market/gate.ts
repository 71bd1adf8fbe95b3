import type { AuctionRow } from './row.ts'

/**
 * SQL condition over `auctions as a` for auctions that everyone may see: submitted, own stock or approved, not removed,
 * and the seller is not suspended.
 */
export const isPublished = `a.status <> 'draft' and a.submitted_at is not null and a.approval in ('not_needed', 'approved') and a.removed_at is null
  and not exists (select from people s where s.id = a.seller and s.suspended_at is not null)`

/**
 * SQL condition over `people as p` for public profiles: the person agreed to the current notice (`:notice`) and is not
 * suspended.
 */
export const isPublic = `p.suspended_at is null and exists (select from publication_receipts r where r.person = p.id and r.scope = 'profile' and r.notice_version = :notice and r.withdrawn_at is null)`

type Asks = Readonly<{ person: string | undefined; isAdmin: boolean }>

/** Whether a person may see an auction even if it is not published: its seller, its winner and admins may. */
export const isTheirs = (row: Pick<AuctionRow, 'seller' | 'winner'>, { person, isAdmin }: Asks): boolean =>
  isAdmin || (person !== undefined && (row.seller === person || row.winner === person))
