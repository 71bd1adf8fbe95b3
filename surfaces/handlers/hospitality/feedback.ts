import { closed, type JsonObject, type JsonValue, notFound, reply, Text, Type, unavailable } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Done, Id } from '../../people/schemas.ts'
import { checkedReport, PublicReply } from '../../playful/inbox.ts'

export const keptPost = defineHandler({
  body: {
    schema: closed({
      report: Type.Record(Type.String(), Type.Unknown(), { description: 'A report, as `/api/v1/feedback` takes it.' }),
      consent: closed({
        keep: Type.Literal(true, { description: 'Without it nothing is kept: send the report to `/api/v1/feedback`.' }),
        reply_may_be_public: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether everyone may read the reply.' })
        )
      })
    }),
    limitBytes: 20_480
  },
  reply: closed({
    '@kind': Type.Literal('feedback-kept'),
    id: Text,
    taken_back_at: Text,
    kept_for_days: Type.Integer(),
    reply_may_be_public: Type.Boolean()
  }),
  async handle(request, { inbox, shares }) {
    const { body, pathTo } = request
    const { reply_may_be_public: replyMayBePublic = false } = body.consent
    const asked = await request.ask(pathTo('hospitality/feedback.post'), {
      method: 'POST',
      body: body.report as JsonObject
    })
    if (asked === undefined) throw unavailable('Reports cannot be checked now.', 60, { subsystem: 'inbox' })
    const checked = checkedReport(asked.status, JSON.parse(asked.body) as JsonValue)
    const { isFirst } = await shares.take('send a report that is kept', request)
    const id = await inbox.keep(checked, replyMayBePublic, isFirst)
    return reply({
      '@kind': 'feedback-kept',
      id,
      taken_back_at: pathTo('hospitality/feedback/withdrawn.post'),
      kept_for_days: 365,
      reply_may_be_public: replyMayBePublic
    })
  }
})

/**
 * Returns the public replies to reports. The text of a report is not shown, and its subject only as a path of this
 * service.
 */
export const replies = defineHandler({
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many replies at most.' })
    )
  }),
  corpora: { guides: Type.Object({ slug: Text }) },
  reply: closed({ '@kind': Type.Literal('feedback-replies'), replies: Type.Array(PublicReply) }),
  async handle({ query: { limit = 20 }, corpora: { guides }, pathTo }, { inbox }) {
    const replies = await inbox.replies(limit)
    return reply({
      '@kind': 'feedback-replies',
      replies: replies.map(({ endpoint, guide_slug: slug, ...one }) => {
        const guide = guides.entries.find(entry => entry.slug === slug)
        const about =
          guide === undefined
            ? pathTo.at(endpoint?.split(/[?#]/)[0] ?? '')
            : pathTo('hospitality/guide', { slug: guide.slug })
        return { ...one, about: about ?? null }
      })
    })
  }
})

/** Deletes a report by its id, which besides operators only its sender knows. */
export const withdrawnPost = defineHandler({
  body: { schema: closed({ id: Id }), limitBytes: 512 },
  reply: Done,
  async handle(request, { inbox, shares }) {
    const { id } = request.body
    await shares.take('take back a report', request)
    if (!(await inbox.remove(id))) throw notFound('report', id)
    return reply({ done: 'The report is deleted, with its reply.' })
  }
})
