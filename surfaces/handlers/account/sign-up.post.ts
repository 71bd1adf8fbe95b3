import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { checkSecure, requireSignUp } from '../../people/callers.ts'
import { notInvited } from '../../people/mail.ts'
import { Address, Asked } from '../../people/schemas.ts'

/** Mails a code for a new account. The response is the same for every address. */
export default defineHandler({
  body: {
    schema: Type.Object(
      {
        address: Address,
        invitation: Type.Optional(
          Type.String({ maxLength: 80, description: 'Where accounts need one: the invitation that the operator gave.' })
        )
      },
      { additionalProperties: false }
    ),
    limitBytes: 1024
  },
  reply: Asked,
  async handle(request, { mailedCodes, mailAddresses, shares, ways }) {
    const {
      body: { address, invitation },
      service
    } = request
    checkSecure(service.base_url)
    requireSignUp(ways)
    if (ways.sign_up === 'invite' && !(await mailAddresses.isInvited(invitation ?? ''))) throw notInvited()
    const { isFirst } = await shares.take('ask for an account', request)
    return reply({
      request: await mailedCodes.forNewcomer(address, request, isFirst),
      next: 'A code is on its way: at most two in an hour. For an address with an account it signs in to that.'
    })
  }
})
