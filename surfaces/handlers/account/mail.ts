import { closed, reply, SurfaceError } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { invalidCode, personOf, requireFresh, requireMail } from '../../people/callers.ts'
import { Address, Asked, Done, MailedCode, Request } from '../../people/schemas.ts'

export const post = defineHandler({
  body: { schema: closed({ address: Address }), limitBytes: 1024 },
  reply: Asked,
  async handle(request, { mailedCodes, shares, ways }) {
    requireMail(ways)
    requireFresh(request.caller, request.now)
    await shares.take('change the mail address', request)
    return reply({
      request: await mailedCodes.forAddress(personOf(request.caller), request.body.address),
      next: 'A code is on its way to the new address: at most two in an hour, and three to all addresses. Until it comes back, nothing changes.'
    })
  }
})

export const confirmPost = defineHandler({
  body: { schema: closed({ request: Request, code: MailedCode }), limitBytes: 1024 },
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

export const removePost = defineHandler({
  body: { schema: closed({}), limitBytes: 512 },
  reply: Done,
  async handle({ caller, now }, { mailAddresses }) {
    requireFresh(caller, now)
    if (!(await mailAddresses.remove(personOf(caller))))
      throw new SurfaceError('NOT_FOUND', 'There is no address of yours here.')
    return reply({ done: 'The address is forgotten.' })
  }
})
