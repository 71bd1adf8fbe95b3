import { closed, Count, notFound, nullable, Path, RateLimited, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import { conflict } from '../common/errors.ts'
import { isId } from '../common/ids.ts'
import { recordAct } from '../people/acts.ts'
import { requireOther } from '../people/callers.ts'
import { Organisations } from '../people/organisations.ts'
import { noticeVersion } from '../people/receipts.ts'
import { inTransaction, lockPerson, Repository, RowId, type Store } from '../common/repository.ts'
import {
  OwnReport,
  WaitingReport,
  type Reportable,
  type ReportDecision,
  type ReportRequest
} from '../people/schemas.ts'
import { LeftOut } from '../sources/runs.ts'
import { isPublic, isPublished } from './auction.ts'
import { removeListing } from './listing.ts'
import { removeReview, Signal, PendingAuction } from './operating.ts'

const Reported = closed({ id: Text, author: nullable(Text) })
const Parties = closed({ first: nullable(Text), second: nullable(Text) })

/**
 * Returns the people who may not decide a report: of an organisation, the person who speaks for it; of a listing, its
 * seller and its winner; of a review, its author and the person whom it is about.
 */
async function partiesOf({ knex, rows }: Store, kind: Reportable, id: string): Promise<readonly (string | null)[]> {
  if (kind === 'organisation') return [id]
  const query =
    kind === 'listing'
      ? knex('auctions').select({ first: 'seller', second: 'winner' })
      : knex('auction_reviews').select({ first: 'author', second: 'about' })
  return (await rows(Parties, query.where({ id }))).flatMap(({ first, second }) => [first, second])
}

async function findReported(
  { knex, rows }: Store,
  kind: Reportable,
  of: string
): Promise<DataOf<typeof Reported> | undefined> {
  if (kind !== 'organisation' && !isId(of)) return undefined
  const queries = {
    organisation: () =>
      knex('listed_organisations')
        .select({ id: 'person', author: 'person' })
        .where({ slug: of, notice_version: noticeVersion }),
    listing: () =>
      knex('auctions as a').select({ id: 'a.id', author: 'a.seller' }).where('a.id', of).whereRaw(isPublished),
    review: () =>
      knex('auction_reviews as v')
        .join('people as p', 'p.id', 'v.about')
        .select('v.id', 'v.author')
        .where('v.id', of)
        .whereNull('v.removed_at')
        .whereRaw(isPublic, { notice: noticeVersion })
  }
  return (await rows(Reported, queries[kind]()))[0]
}

/** Removes reported content; does nothing if it is removed already. `id` is its id in the database. */
async function removeReported(
  store: Store,
  kind: Reportable,
  id: string,
  actor: string,
  reason: string
): Promise<void> {
  if (kind === 'organisation') await new Organisations(store).remove({ person: id }, actor, reason)
  else if (kind === 'review') await removeReview(store, { id }, reason, actor)
  else await removeListing(store, { person: actor, isAdmin: true, route: 'reports', key: undefined }, id, reason)
}

export const maxReportsPerDay = 10

const columns: Readonly<Record<Reportable, string>> = {
  listing: 'auction',
  review: 'review',
  organisation: 'organisation'
}

const StoredReport = closed({
  id: Text,
  kind: WaitingReport.properties.kind,
  auction: nullable(Text),
  review: nullable(Text),
  organisation: nullable(Text),
  decided_at: nullable(Text)
})
const ReportCounts = closed({ day: Count, open: Count, left: Count })
const WaitingRow = closed({
  ...WaitingReport.properties,
  page: Type.Null(),
  auction: nullable(Text),
  slug: nullable(Text),
  about: nullable(Text)
})
type WaitingRow = DataOf<typeof WaitingRow>

const waiting = `
  select r.id, r.kind, r.ground, r.text, r.reported_at, p.username as reporter, coalesce(r.auction::text, r.review::text, o.slug) as of, null as page, a.id as auction, o.slug, b.username as about,
    case r.kind when 'listing' then concat_ws(': ', a.title, nullif(a.description, '')) when 'review' then v.text else concat_ws(': ', o.display_name, o.description) end as shown
  from content_reports r join people p on p.id = r.reporter left join auctions a on a.id = r.auction left join auction_reviews v on v.id = r.review left join people b on b.id = v.about
    left join organisations o on o.person = r.organisation
  where r.decided_at is null order by r.reported_at, r.id limit 500`

/** Returns the page on which an admin sees the reported content; null if it is gone. */
function pageOf({ auction, slug, about }: WaitingRow, pathTo: PathTo): string | null {
  if (auction !== null) return pathTo('pages/auctions/auction', { id: auction })
  if (slug !== null) return `${pathTo('pages/organisations')}?q=${encodeURIComponent(slug)}`
  return about === null ? null : pathTo('pages/people/trust', { username: about })
}

/**
 * Reports of other people's content. Its author never learns who reported it; an admin decides, with a recorded reason.
 */
export class Reports extends Repository {
  /**
   * Stores a report and returns its id. 404 if the content is not public, 409 for content of the reporter or a second
   * report while the first waits, 429 for more than `maxReportsPerDay` in 24 hours.
   */
  async add(reporter: string, { kind, of, ground, text }: ReportRequest): Promise<string> {
    return await inTransaction(this.store, async transaction => {
      const { knex, rows } = transaction
      await lockPerson(knex, reporter)
      const found = await findReported(transaction, kind, of)
      if (found === undefined) throw notFound(kind, of)
      if (found.author === reporter) throw conflict('It is yours: you can change or end it yourself.', { kind })
      const ofDay = "reported_at > now() - interval '1 day'"
      const [sent] = await rows(
        ReportCounts,
        knex('content_reports')
          .where({ reporter })
          .select(
            knex.raw(`count(*) filter (where ${ofDay}) as day`),
            knex.raw(
              `coalesce(ceil(extract(epoch from min(reported_at) filter (where ${ofDay}) + interval '1 day' - now())), 0)::int as left`
            ),
            knex.raw('count(*) filter (where decided_at is null and ?? = ?) as open', [columns[kind], found.id])
          )
      )
      if ((sent?.open ?? 0) > 0) throw conflict('You reported it already. An admin reads it.', { kind })
      if ((sent?.day ?? 0) >= maxReportsPerDay)
        throw new RateLimited(
          { limit: maxReportsPerDay, windowSeconds: 86_400, resetSeconds: Math.max(1, sent?.left ?? 0) },
          `You sent ${maxReportsPerDay} reports in a day. Please send more tomorrow.`
        )
      const report = { reporter, kind, [columns[kind]]: found.id, ground, text }
      const [added] = await rows(RowId, knex('content_reports').insert(report).returning('id'))
      if (added === undefined) throw new Error('No report was stored.')
      await recordAct(knex, reporter, 'reports.add', added.id, { kind, ground })
      return added.id
    })
  }

  async of(reporter: string) {
    return await this.rows(
      OwnReport,
      this.knex('content_reports')
        .select(Object.keys(OwnReport.properties))
        .where({ reporter })
        .orderBy('reported_at', 'desc')
        .orderBy('id')
        .limit(1_000)
    )
  }

  /** Returns the undecided reports, the oldest first; with `pathTo` also the page of the content. */
  async waiting(pathTo?: PathTo): Promise<readonly DataOf<typeof WaitingReport>[]> {
    return (await this.rows(WaitingRow, this.knex.raw(waiting))).map(row => {
      const { id, kind, ground, text, reported_at, reporter, of, shown } = row
      const page = pathTo === undefined ? null : pageOf(row, pathTo)
      return { id, kind, ground, text, reported_at, reporter, of, shown, page }
    })
  }

  /**
   * Decides a report, and with it all undecided reports of the same content. 404 if there is none, 409 if it was
   * decided already, or if the actor is one of `partiesOf`.
   */
  async decide(id: string, { decision, reason }: ReportDecision, actor: string): Promise<void> {
    await inTransaction(this.store, async transaction => {
      const { knex, rows } = transaction
      // Decisions run one after another, so that the second of two simultaneous ones sees the first.
      await knex.raw("select pg_advisory_xact_lock(hashtext('pantry reports'))")
      const [report] = await rows(
        StoredReport,
        knex('content_reports').select(Object.keys(StoredReport.properties)).where({ id })
      )
      if (report === undefined) throw notFound('report', id)
      const { kind, decided_at: decidedAt } = report
      if (decidedAt !== null) throw conflict('It was decided already.', { decided_at: decidedAt })
      const of = report.auction ?? report.review ?? report.organisation
      if (of !== null) requireOther(actor, await partiesOf(transaction, kind, of))
      // Other reports are found before the content is removed, because deleting an organisation clears its reference in
      // them.
      const alike =
        of === null
          ? [{ id }]
          : await rows(
              RowId,
              knex('content_reports')
                .select('id')
                .where({ [columns[kind]]: of })
                .whereNull('decided_at')
            )
      if (decision === 'remove' && of !== null) await removeReported(transaction, kind, of, actor, reason)
      const ids = alike.map(({ id }) => id)
      await knex('content_reports')
        .whereIn('id', ids)
        .update({ decision: decision === 'remove' ? 'removed' : 'kept', reason, decided_at: knex.fn.now() })
      await recordAct(knex, actor, `reports.${decision}`, id, { kind, reason })
    })
  }
}

export const openReports = (database: Store) => ({ services: { reports: new Reports(database) } })

export const Desk = closed({
  auctions: Type.Array(closed({ ...PendingAuction.properties, page: Path })),
  reports: Type.Array(WaitingReport),
  signals: Type.Array(Signal),
  inbox: Count,
  cases: Count,
  left_out: Type.Array(LeftOut, { description: 'Rows that the last import of each source left out, by the reason.' })
})
