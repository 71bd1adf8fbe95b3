import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { InboxShown } from '../../hospitality/inbox.ts'

/** The reports for who answers them. */
export default defineHandler({
  reply: InboxShown,
  async handle(_, { inbox }) {
    return reply({ reports: [...(await inbox.all())] })
  }
})
