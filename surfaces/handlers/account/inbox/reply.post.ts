import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { Done, Id } from '../../../people/schemas.ts'
import { ReplyRequest } from '../../../playful/inbox.ts'

/** Replies to a report. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: ReplyRequest, limitBytes: 20_480 },
  reply: Done,
  async handle({ params: { id }, body, caller }, { inbox }) {
    if (!(await inbox.reply(id, body.reply, personOf(caller)))) throw notFound('report', id)
    return reply({ done: 'The reply is kept with the report.' })
  }
})
