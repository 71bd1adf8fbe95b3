import { closed, invalid, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { checkSecure, requireSignUp, wrongCode } from '../../people/callers.ts'
import { notInvited } from '../../people/mail.ts'
import { checkUsername } from '../../people/people.ts'
import { Address, Asked, Done, MailedCode, Request } from '../../people/schemas.ts'
import { cookiesOf } from '../../people/sign-in.ts'

const Invitation = Type.Optional(
  Type.String({ maxLength: 80, description: 'Where accounts need one: the invitation that the operator gave.' })
)

/**
 * Mails a code to make an account with, or to sign in if the address has an account. Apart from the id of the request,
 * the response is the same for every address.
 */
export const post = defineHandler({
  body: { schema: closed({ address: Address, invitation: Invitation }), limitBytes: 1024 },
  reply: Asked,
  async handle(request, { mailedCodes, mailAddresses, shares, ways }) {
    const { address, invitation } = request.body
    checkSecure(request.service.base_url)
    requireSignUp(ways)
    if (ways.sign_up === 'invite' && !(await mailAddresses.isInvited(invitation ?? ''))) throw notInvited()
    const { isFirst } = await shares.take('ask for an account', request)
    return reply({
      request: await mailedCodes.forNewcomer(address, request, isFirst),
      next: 'A code is on its way: at most two in an hour. For an address with an account it signs in to that.'
    })
  }
})

/** Creates an account for a confirmed address and signs in; if the address already has an account, signs in to that. */
export const confirmPost = defineHandler({
  body: {
    schema: closed({
      request: Request,
      code: MailedCode,
      username: Type.String({ minLength: 1, maxLength: 80, description: 'What you want to be called.' }),
      terms_version: Type.String({ maxLength: 20, description: 'Version of the terms that you agree to.' }),
      invitation: Invitation
    }),
    limitBytes: 2048
  },
  reply: Done,
  async handle(asked, services) {
    const { request, code, username: wanted, terms_version: terms, invitation } = asked.body
    const { mailedCodes, mailAddresses, shares, signIn, ways } = services
    checkSecure(asked.service.base_url)
    requireSignUp(ways)
    if (terms !== ways.terms_version)
      throw invalid('terms_version', 'Please read the terms that hold now, and agree to them.', [ways.terms_version])
    if (ways.sign_up === 'invite' && invitation === undefined) throw notInvited()
    const username = checkUsername(wanted)
    const begun = await shares.spend('try to sign in', asked, async () => {
      const person = await mailedCodes.use(
        request,
        code,
        ['sign-up', 'sign-in'],
        async (used, transaction) =>
          used.person ??
          (await mailAddresses.signUp(transaction, {
            username,
            address: used.address,
            terms,
            invitation: ways.sign_up === 'invite' ? invitation : undefined
          }))
      )
      return person === undefined ? undefined : await signIn.begin(person)
    })
    if (begun === undefined) throw wrongCode()
    return reply(
      { done: 'You have an account, and are signed in.' },
      { cookies: await cookiesOf(begun, asked, services) }
    )
  }
})
