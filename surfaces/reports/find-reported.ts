import { closed, nullable, Text, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { noticeVersion } from '../accounts/notice.ts'
import { isId } from '../ids.ts'
import { isPublic, isPublished } from '../market/gate.ts'
import type { Reportable } from './schemas.ts'

const Found = closed({ id: Text, author: nullable(Text) })

const Parties = closed({ first: nullable(Text), second: nullable(Text) })

/** Returns the author of the reported content and the person it concerns; neither may decide the report. */
export async function partiesOf(
  { rows }: Pick<Database, 'rows'>,
  knex: Knex,
  kind: Reportable,
  of: string
): Promise<readonly (string | null)[]> {
  if (kind === 'organisation') return [of]
  const [found] = await rows(
    Parties,
    kind === 'listing'
      ? knex('auctions').select({ first: 'seller', second: 'winner' }).where({ id: of })
      : knex('auction_reviews').select({ first: 'author', second: 'about' }).where({ id: of })
  )
  return found === undefined ? [] : [found.first, found.second]
}

/** Finds the content to be reported, if it is public: its id in the database and its author. */
export async function findReported(
  { rows }: Pick<Database, 'rows'>,
  knex: Knex,
  kind: Reportable,
  of: string
): Promise<DataOf<typeof Found> | undefined> {
  if (kind === 'organisation')
    return (
      await rows(
        Found,
        knex('listed_organisations')
          .select({ id: 'person', author: 'person' })
          .where({ slug: of, notice_version: noticeVersion })
      )
    )[0]
  if (!isId(of)) return undefined
  if (kind === 'listing')
    return (
      await rows(
        Found,
        knex('auctions as a').select({ id: 'a.id', author: 'a.seller' }).where('a.id', of).whereRaw(isPublished)
      )
    )[0]
  return (
    await rows(
      Found,
      knex('auction_reviews as v')
        .join('people as p', 'p.id', 'v.about')
        .select('v.id', 'v.author')
        .where('v.id', of)
        .whereNull('v.removed_at')
        .whereRaw(isPublic, { notice: noticeVersion })
    )
  )[0]
}
