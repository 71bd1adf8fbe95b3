import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf, requireFresh, invalidCode } from '../../../people/callers.ts'
import { Done, MailedCode, Request } from '../../../people/schemas.ts'

/** Stores a new mail address of the caller, confirmed by its code. */
export default defineHandler({
  body: {
    schema: Type.Object({ request: Request, code: MailedCode }, { additionalProperties: false }),
    limitBytes: 1024
  },
  reply: Done,
  async handle({ body: { request, code }, caller, now }, { mailedCodes, mailAddresses }) {
    requireFresh(caller, now)
    const person = personOf(caller)
    const isKept = await mailedCodes.use(
      request,
      code,
      ['address'],
      async (used, transaction) =>
        used.person === person && (await mailAddresses.keep(transaction, person, used.address))
    )
    if (isKept !== true) throw invalidCode()
    return reply({ done: 'The address is yours, and codes go to it.' })
  }
})
