import { reply, Type } from 'pantry/handler'
import { Id } from '../../../accounts/schemas.ts'
import { Case } from '../../../coverage/hunt/cases.ts'
import { defineHandler } from '../../../define.ts'

/** Returns one case with its turns. */
export default defineHandler({
  params: Type.Object({ case_id: Id }),
  reply: Case,
  async handle({ params: { case_id: id }, caller }, { huntCases }) {
    return reply(await huntCases.view(id, caller.session === undefined ? caller.id : undefined))
  }
})
