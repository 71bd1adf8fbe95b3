import { closed, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { PublicReply } from '../../../hospitality/inbox.ts'

/** What was replied to reports, where their senders let it be public. */
export default defineHandler({
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many replies at most.' })) }),
  reply: closed({ '@kind': Type.Literal('feedback-replies'), replies: Type.Array(PublicReply) }),
  async handle ({ query: { limit = 20 } }, { inbox }) {
    return reply({ '@kind': 'feedback-replies', replies: [...await inbox.replies(limit)] })
  }
})
