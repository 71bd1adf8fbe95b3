import { closed, Count, notFound, nullable, RateLimited, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import type { Database } from 'pantry/database'
import { noteAct } from '../accounts/acts.ts'
import { requireOther } from '../accounts/own.ts'
import { conflict } from '../errors.ts'
import { findReported, partiesOf } from './find-reported.ts'
import { removeReported } from './remove-reported.ts'
import { OwnReport, WaitingReport, type Reportable, type ReportDecision, type ReportRequest } from './schemas.ts'

/** The maximum number of reports of one person in a day. */
export const mostInADay = 10

/** The column that refers to the reported content, by kind. */
const columns: Readonly<Record<Reportable, string>> = {
  listing: 'auction',
  review: 'review',
  organisation: 'organisation'
}

const Open = closed({
  id: Text,
  kind: WaitingReport.properties.kind,
  auction: nullable(Text),
  review: nullable(Text),
  organisation: nullable(Text),
  decided_at: nullable(Text)
})
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

/** Returns the page on which an admin sees the reported content. */
function pageOf({ auction, slug, about }: WaitingRow, pathTo: PathTo): string | null {
  if (auction !== null) return pathTo('pages/auctions/auction', { id: auction })
  if (slug !== null) return `${pathTo('pages/organisations')}?q=${encodeURIComponent(slug)}`
  return about === null ? null : pathTo('pages/people/trust', { username: about })
}

/**
 * Reports of other people's content. The reported person never learns who reported it; an admin decides, with a
 * recorded reason.
 */
export class Reports {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /**
   * Stores a report and returns its id. 404 if the content is not public, 409 for the person's own content or a second
   * report while the first waits, 429 for too many in a day.
   */
  async add(reporter: string, { kind, of, ground, text }: ReportRequest): Promise<string> {
    const { knex, rows } = this.#database
    return await knex.transaction(async transaction => {
      await transaction('people').where({ id: reporter }).forUpdate().select('id')
      const found = await findReported(this.#database, transaction, kind, of)
      if (found === undefined) throw notFound(kind, of)
      if (found.author === reporter) throw conflict('It is yours: you can change or end it yourself.', { kind })
      const about = { [columns[kind]]: found.id }
      const [sent] = await rows(
        closed({ day: Count, open: Count, left: Count }),
        transaction('content_reports')
          .where({ reporter })
          .select(
            transaction.raw("count(*) filter (where reported_at > now() - interval '1 day') as day"),
            transaction.raw(
              "coalesce(ceil(extract(epoch from min(reported_at) filter (where reported_at > now() - interval '1 day') + interval '1 day' - now())), 0)::int as left"
            ),
            transaction.raw('count(*) filter (where decided_at is null and ?? = ?) as open', [columns[kind], found.id])
          )
      )
      if ((sent?.open ?? 0) > 0) throw conflict('You reported it already. An admin reads it.', { kind })
      if ((sent?.day ?? 0) >= mostInADay)
        throw new RateLimited(
          { limit: mostInADay, windowSeconds: 86_400, resetSeconds: Math.max(1, sent?.left ?? 0) },
          `You sent ${mostInADay} reports in a day. Please send more tomorrow.`
        )
      const [kept] = await rows(
        closed({ id: Text }),
        transaction('content_reports')
          .insert({ reporter, kind, ...about, ground, text })
          .returning('id')
      )
      if (kept === undefined) throw new Error('No report was stored.')
      await noteAct(transaction, reporter, 'reports.add', kept.id, { kind, ground })
      return kept.id
    })
  }

  /** Returns the reports of a person, the newest first. */
  async of(reporter: string): Promise<readonly DataOf<typeof OwnReport>[]> {
    const { knex, rows } = this.#database
    return await rows(
      OwnReport,
      knex('content_reports')
        .select(Object.keys(OwnReport.properties))
        .where({ reporter })
        .orderBy('reported_at', 'desc')
        .orderBy('id')
        .limit(1_000)
    )
  }

  /** Returns the undecided reports, the oldest first; with `pathTo` also the page of the content. */
  async waiting(pathTo?: PathTo): Promise<readonly DataOf<typeof WaitingReport>[]> {
    const { knex, rows } = this.#database
    return (await rows(WaitingRow, knex.raw(waiting))).map(report => {
      const { id, kind, ground, text, reported_at: at, reporter, of, shown } = report
      return {
        id,
        kind,
        ground,
        text,
        reported_at: at,
        reporter,
        of,
        shown,
        page: pathTo === undefined ? null : pageOf(report, pathTo)
      }
    })
  }

  /**
   * Decides a report, and with it all undecided reports of the same content. 404 if there is none, 409 if it was
   * decided already, and for the author of the content or the person it concerns.
   */
  async decide(id: string, { decision, reason }: ReportDecision, actor: string): Promise<void> {
    const { knex, rows } = this.#database
    await knex.transaction(async transaction => {
      // Decisions run one after another, so that the second of two simultaneous ones sees the first.
      await transaction.raw("select pg_advisory_xact_lock(hashtext('pantry reports'))")
      const [found] = await rows(
        Open,
        transaction('content_reports').select(Object.keys(Open.properties)).where({ id })
      )
      if (found === undefined) throw notFound('report', id)
      if (found.decided_at !== null) throw conflict('It was decided already.', { decided_at: found.decided_at })
      const of = found.auction ?? found.review ?? found.organisation
      if (of !== null) requireOther(actor, await partiesOf(this.#database, transaction, found.kind, of))
      // Other reports are found before the content is removed, because deleting an organisation clears its reference in
      // them.
      const alike =
        of === null
          ? [{ id }]
          : await rows(
              closed({ id: Text }),
              transaction('content_reports')
                .select('id')
                .where({ [columns[found.kind]]: of })
                .whereNull('decided_at')
            )
      if (decision === 'remove' && of !== null)
        await removeReported({ knex: transaction, rows }, found.kind, of, actor, reason)
      await transaction('content_reports')
        .whereIn(
          'id',
          alike.map(one => one.id)
        )
        .update({ decision: decision === 'remove' ? 'removed' : 'kept', reason, decided_at: transaction.fn.now() })
      await noteAct(transaction, actor, `reports.${decision}`, id, { kind: found.kind, reason })
    })
  }
}
