import { closed, Count, nullable, Text, Type, unavailable, type DataOf, type JsonObject } from 'pantry/data'
import type { Database } from 'pantry/database'
import { noteAct } from '../accounts/acts.ts'
import { writeEnding } from '../accounts/journal.ts'
import { mostLettersADay } from '../accounts/shares.ts'

/** A report that its sender let us keep. */
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

/** A reply as everyone may read it: never the report. */
export const PublicReply = closed({
  ...replied,
  about: nullable(
    Text,
    'Declared path of the surface that the report names, or path of the guide; null where it names none.'
  )
})

/** A reply that may be public, with what its sender wrote of the place it is about. */
const Replied = closed({ ...replied, endpoint: nullable(Text), guide_slug: nullable(Text) })

/** What an operator answers. */
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

/** Reports that were sent with the consent to keep them. Without it nothing reaches this store. */
export class Inbox {
  readonly #database: Pick<Database, 'knex' | 'rows'>

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /**
   * Keeps a report that was checked; gives the id that takes it back. 503 for more than people read in a day, but for
   * the `isFirst` of a client.
   */
  async keep(report: JsonObject, replyMayBePublic: boolean, isFirst: boolean): Promise<string> {
    const { knex, rows } = this.#database
    const [kept] = await rows(
      closed({ id: Text }),
      knex.raw(
        "insert into feedback_reports (report, reply_may_be_public) select ?::jsonb, ? where ?::boolean or (select count(*) from feedback_reports where received_at > now() - interval '1 day') < ? returning id",
        [JSON.stringify(report), replyMayBePublic, isFirst, mostLettersADay]
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

  /** All reports, those without a reply first, the newest first. */
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

  /** How many reports have no reply yet. */
  async waiting(): Promise<number> {
    const { knex, rows } = this.#database
    return (
      (await rows(closed({ waits: Count }), knex('feedback_reports').whereNull('replied_at').count({ waits: '*' })))[0]
        ?.waits ?? 0
    )
  }

  /** Replies that may be public, the newest first. */
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

  /** Answers a report; false where there is none. A second reply takes the place of the first. */
  async reply(id: string, reply: string, actor: string): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const changed = await transaction('feedback_reports')
        .where({ id })
        .update({ reply, replied_at: transaction.fn.now() })
      if (changed > 0) await noteAct(transaction, actor, 'inbox.reply', id)
      return changed > 0
    })
  }

  /**
   * Deletes a report with its reply; false where there is none. What its sender takes back, without an actor, leaves no
   * act, because everyone may send: but no backup brings it back.
   */
  async remove(id: string, actor?: string): Promise<boolean> {
    return await this.#database.knex.transaction(async transaction => {
      const removed = await transaction('feedback_reports').where({ id }).delete()
      if (removed > 0 && actor !== undefined) await noteAct(transaction, actor, 'inbox.remove', id)
      else if (removed > 0) await writeEnding(transaction, 'inbox.remove', id, new Date().toISOString(), {})
      return removed > 0
    })
  }
}
