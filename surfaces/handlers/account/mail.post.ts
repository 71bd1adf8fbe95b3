import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf, requireFresh, requireMail } from '../../people/callers.ts'
import { Address, Asked } from '../../people/schemas.ts'

/** Mails a code to a new address of the caller. */
export default defineHandler({
  body: { schema: Type.Object({ address: Address }, { additionalProperties: false }), limitBytes: 1024 },
  reply: Asked,
  async handle(request, { mailedCodes, shares, ways }) {
    const {
      body: { address },
      caller,
      now
    } = request
    requireMail(ways)
    requireFresh(caller, now)
    await shares.take('change the mail address', request)
    return reply({
      request: await mailedCodes.forAddress(personOf(caller), address),
      next: 'A code is on its way to the new address: at most two in an hour, and three to all addresses. Until it comes back, nothing changes.'
    })
  }
})
