import {
  closed,
  Count,
  invalid,
  nullable,
  Text,
  Type,
  unavailable,
  type DataOf,
  type JsonObject,
  type JsonValue
} from 'pantry/data'
import { recordAct, appendToJournal } from '../people/acts.ts'
import { maxFeedbackPerDay } from '../people/limits.ts'
import type { Store } from '../common/repository.ts'

type ReportAnswer = Readonly<{
  data?: Readonly<{ echo?: JsonObject }> | null
  error?: Readonly<{ message: string; details?: Readonly<{ field?: string }> }>
}>

/** Returns the normalised report from the response of the report check, or throws its error. */
export function checkedReport(status: number, body: JsonValue): JsonObject {
  const { data, error } = body as ReportAnswer
  if (status === 200 && data?.echo !== undefined) return data.echo
  const field = error?.details?.field
  throw invalid(
    field === undefined || field === '' ? 'report' : `report.${field}`,
    error?.message ?? 'The report is not well formed.'
  )
}

export const KeptReport = closed({
  id: Text,
  report: Type.Record(Text, Type.Unknown()),
  reply_may_be_public: Type.Boolean(),
  received_at: Text,
  reply: nullable(Text),
  replied_at: nullable(Text)
})
export type KeptReport = DataOf<typeof KeptReport>
export const InboxShown = closed({ reports: Type.Array(KeptReport) })

const replied = { kind: Text, reply: Text, replied_at: Text }

/** A public reply. Of the report it contains only the kind and what the report is about. */
export const PublicReply = closed({
  ...replied,
  about: nullable(
    Text,
    'Declared path of the surface that the report names, or path of the guide; null where it names none.'
  )
})

const Replied = closed({ ...replied, endpoint: nullable(Text), guide_slug: nullable(Text) })

export const ReplyRequest = Type.Object(
  {
    reply: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'Public where the sender allowed it: it repeats nothing of the report that says who they are.'
    })
  },
  { additionalProperties: false }
)

/** Stores reports whose senders allowed it; other reports are never passed to it. */
export class Inbox {
  readonly #database: Store

  constructor(database: Store) {
    this.#database = database
  }

  /**
   * Stores a report. Returns the id with which the sender can delete it. Throws 503 when the daily limit is reached,
   * except for a client's first report (`isFirst`).
   */
  async keep(report: JsonObject, replyMayBePublic: boolean, isFirst: boolean): Promise<string> {
    const { knex, rows } = this.#database
    const [kept] = await rows(
      closed({ id: Text }),
      knex.raw(
        "insert into feedback_reports (report, reply_may_be_public) select ?::jsonb, ? where ?::boolean or (select count(*) from feedback_reports where received_at > now() - interval '1 day') < ? returning id",
        [JSON.stringify(report), replyMayBePublic, isFirst, maxFeedbackPerDay]
      )
    )
    if (kept === undefined)
      throw unavailable(
        'The inbox has as many reports of today as people can read. Nothing was kept: please mail the report, or send it again tomorrow.',
        3600,
        { subsystem: 'inbox' }
      )
    return kept.id
  }

  /** Returns up to 500 reports: those without a reply before the others, each group newest first. */
  async all(): Promise<readonly KeptReport[]> {
    const { knex, rows } = this.#database
    return await rows(
      KeptReport,
      knex('feedback_reports')
        .select('id', 'report', 'reply_may_be_public', 'received_at', 'reply', 'replied_at')
        .orderByRaw('replied_at is not null, received_at desc, id')
        .limit(500)
    )
  }

  async waiting(): Promise<number> {
    const { knex, rows } = this.#database
    const counted = knex('feedback_reports').whereNull('replied_at').count({ waits: '*' })
    return (await rows(closed({ waits: Count }), counted))[0]?.waits ?? 0
  }

  /** Returns the replies that may be public, newest first. */
  async replies(limit: number): Promise<readonly DataOf<typeof Replied>[]> {
    const { knex, rows } = this.#database
    return await rows(
      Replied,
      knex('feedback_reports')
        .whereNotNull('reply')
        .where({ reply_may_be_public: true })
        .orderBy('replied_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .select(
          knex.raw("report ->> 'kind' as kind"),
          knex.raw("report ->> 'endpoint' as endpoint"),
          knex.raw("report ->> 'guide_slug' as guide_slug"),
          'reply',
          'replied_at'
        )
    )
  }

  /** Replies to a report; false when it does not exist. A second reply replaces the first. */
  async reply(id: string, reply: string, actor: string): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const changed = await transaction('feedback_reports')
        .where({ id })
        .update({ reply, replied_at: transaction.fn.now() })
      if (changed > 0) await recordAct(transaction, actor, 'inbox.reply', id)
      return changed > 0
    })
  }

  /**
   * Deletes a report; false when it does not exist. A deletion by the sender (without `actor`) is no act, because
   * anyone may send reports; it is recorded so that restoring a backup does not bring the report back.
   */
  async remove(id: string, actor?: string): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const removed = await transaction('feedback_reports').where({ id }).delete()
      if (removed > 0 && actor !== undefined) await recordAct(transaction, actor, 'inbox.remove', id)
      else if (removed > 0) await appendToJournal(transaction, 'inbox.remove', id, new Date().toISOString(), {})
      return removed > 0
    })
  }
}
