import { reply, Type } from 'pantry/handler'
import { Case } from '../../../coverage/hunt/cases.ts'
import { defineHandler } from '../../../define.ts'
import { Id } from '../../../people/schemas.ts'

export default defineHandler({
  params: Type.Object({ case_id: Id }),
  reply: Case,
  handle: async ({ params: { case_id: id }, caller }, { huntCases }) =>
    reply(await huntCases.view(id, caller.session === undefined ? caller.id : undefined))
})
