import { reply, SurfaceError, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { checkSecure } from '../../../people/callers.ts'
import { Asserted } from '../../../people/passkeys.ts'
import { Done } from '../../../people/schemas.ts'
import { cookiesOf } from '../../../people/sign-in.ts'

/** Begins a session with a passkey. All failures get the same response. */
export default defineHandler({
  body: { schema: Type.Object({ response: Asserted }, { additionalProperties: false }), limitBytes: 16_384 },
  reply: Done,
  async handle(request, services) {
    const {
      body: { response },
      service
    } = request
    checkSecure(service.base_url)
    const begun = await services.shares.spend('try to sign in', request, async () => {
      const person = await services.passkeys.verify(response, service)
      return person === undefined ? undefined : await services.signIn.begin(person)
    })
    if (begun === undefined)
      throw new SurfaceError(
        'UNAUTHORIZED',
        'That passkey does not sign anybody in here, or it took too long. Please try again, or use a code.',
        { headers: { 'WWW-Authenticate': 'Passkey realm="pantry"' } }
      )
    return reply({ done: 'You are signed in.' }, { cookies: await cookiesOf(begun, request, services) })
  }
})
