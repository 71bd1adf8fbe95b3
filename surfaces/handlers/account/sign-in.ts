import { closed, reply, SurfaceError, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { checkSecure, requireMail, wrongCode } from '../../people/callers.ts'
import { AuthenticationOptions, AuthenticationResponse } from '../../people/passkeys.ts'
import { Asked, Done, MailedCode, Request } from '../../people/schemas.ts'
import { cookiesOf } from '../../people/sign-in.ts'

const Username = Type.String({ minLength: 1, maxLength: 80, description: 'Your username.' })

const signedIn = { done: 'You are signed in.' }

/** Signs in with a one-time code. All failures get the same response in the same time. */
export const post = defineHandler({
  body: {
    schema: closed({
      username: Username,
      code: Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'The one-time code that you were given, with or without its hyphen.'
      })
    }),
    limitBytes: 1024
  },
  reply: Done,
  async handle(request, services) {
    const { username, code } = request.body
    checkSecure(request.service.base_url)
    const begun = await services.shares.spend('try to sign in', request, () =>
      services.signIn.withCode(username, code, request)
    )
    if (begun === undefined)
      throw new SurfaceError(
        'UNAUTHORIZED',
        'That name and that code do not fit, or the code has ended. Please ask for a new one.',
        { headers: { 'WWW-Authenticate': 'Code realm="pantry"' } }
      )
    return reply(signedIn, { cookies: await cookiesOf(begun, request, services) })
  }
})

/**
 * Mails a code to sign in with, if the person has a confirmed address. Apart from the id of the request, the response
 * and its time are the same for every name.
 */
export const mailPost = defineHandler({
  body: { schema: closed({ username: Username }), limitBytes: 1024 },
  reply: Asked,
  async handle(request, { mailedCodes, shares, ways }) {
    checkSecure(request.service.base_url)
    requireMail(ways)
    await shares.take('ask for a code by mail', request)
    return reply({
      request: await mailedCodes.forName(request.body.username, request),
      next: 'If somebody of that name has a confirmed address, a code is on its way to it: at most two in an hour for you, and three for all who ask; one more with a browser that they have signed in with.'
    })
  }
})

/**
 * Signs in with a mailed code, which works only with the id of the request, which the browser that asked for it has.
 */
export const mailedPost = defineHandler({
  body: { schema: closed({ request: Request, code: MailedCode }), limitBytes: 1024 },
  reply: Done,
  async handle(asked, services) {
    const { request, code } = asked.body
    checkSecure(asked.service.base_url)
    const begun = await services.shares.spend('try to sign in', asked, async () => {
      const person = await services.mailedCodes.use(request, code, ['sign-in'], used => Promise.resolve(used.person))
      return person == null ? undefined : await services.signIn.begin(person)
    })
    if (begun === undefined) throw wrongCode()
    return reply(signedIn, { cookies: await cookiesOf(begun, asked, services) })
  }
})

export const passkeyOptionsPost = defineHandler({
  reply: AuthenticationOptions,
  async handle({ service }, { passkeys }) {
    checkSecure(service.base_url)
    return reply(await passkeys.signInOptions(service))
  }
})

/** Signs in with a passkey. All failures get the same response. */
export const passkeyPost = defineHandler({
  body: { schema: closed({ response: AuthenticationResponse }), limitBytes: 16_384 },
  reply: Done,
  async handle(request, services) {
    checkSecure(request.service.base_url)
    const begun = await services.shares.spend('try to sign in', request, async () => {
      const person = await services.passkeys.verify(request.body.response, request.service)
      return person === undefined ? undefined : await services.signIn.begin(person)
    })
    if (begun === undefined)
      throw new SurfaceError(
        'UNAUTHORIZED',
        'That passkey does not sign anybody in here, or it took too long. Please try again, or use a code.',
        { headers: { 'WWW-Authenticate': 'Passkey realm="pantry"' } }
      )
    return reply(signedIn, { cookies: await cookiesOf(begun, request, services) })
  }
})
