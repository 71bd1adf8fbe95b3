import { closed, reply, Text, Type, unavailable, type JsonObject, type JsonValue } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { checkedReport } from '../../../playful/inbox.ts'

/** Stores a report whose sender consents to its storage. */
export default defineHandler({
  body: {
    schema: Type.Object(
      {
        report: Type.Record(Type.String(), Type.Unknown(), {
          description: 'A report, as `/api/v1/feedback` takes it.'
        }),
        consent: Type.Object(
          {
            keep: Type.Literal(true, {
              description: 'Without it nothing is kept: send the report to `/api/v1/feedback`.'
            }),
            reply_may_be_public: Type.Optional(
              Type.Boolean({ default: false, description: 'Whether everyone may read the reply.' })
            )
          },
          { additionalProperties: false }
        )
      },
      { additionalProperties: false }
    ),
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
    const {
      body: {
        report,
        consent: { reply_may_be_public: replyMayBePublic = false }
      },
      ask,
      pathTo
    } = request
    const asked = await ask(pathTo('hospitality/feedback.post'), { method: 'POST', body: report as JsonObject })
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
