import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { Done, Id } from '../../people/schemas.ts'
import { InboxShown, ReplyRequest } from '../../playful/inbox.ts'

export default defineHandler({
  reply: InboxShown,
  handle: async (_, { inbox }) => reply({ reports: [...(await inbox.all())] })
})

export const replyPost = defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: ReplyRequest, limitBytes: 20_480 },
  reply: Done,
  async handle({ params: { id }, body, caller }, { inbox }) {
    if (!(await inbox.reply(id, body.reply, personOf(caller)))) throw notFound('report', id)
    return reply({ done: 'The reply is kept with the report.' })
  }
})

export const removePost = defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { inbox }) {
    if (!(await inbox.remove(id, personOf(caller)))) throw notFound('report', id)
    return reply({ done: 'The report is deleted, with its reply.' })
  }
})
