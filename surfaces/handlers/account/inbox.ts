import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { InboxShown } from '../../playful/inbox.ts'

/** Returns all reports, for the admins who answer them. */
export default defineHandler({
  reply: InboxShown,
  async handle(_, { inbox }) {
    return reply({ reports: [...(await inbox.all())] })
  }
})
