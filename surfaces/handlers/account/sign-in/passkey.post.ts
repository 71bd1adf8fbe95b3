import { reply, SurfaceError, Type } from 'pantry/handler'
import { cookieOf } from '../../../accounts/cookie.ts'
import { checkSecure } from '../../../accounts/own.ts'
import { Asserted } from '../../../accounts/passkeys.ts'
import { Done } from '../../../accounts/schemas.ts'
import { defineHandler } from '../../../define.ts'

/** Begins a session for a passkey. It says the same of every answer that does not hold. */
export default defineHandler({
  body: { schema: Type.Object({ response: Asserted }, { additionalProperties: false }), limitBytes: 16_384 },
  reply: Done,
  async handle ({ body: { response }, caller, service }, { passkeys, signIn }) {
    checkSecure(service.base_url)
    const person = await passkeys.verify(response, service)
    const begun = person === undefined ? undefined : await signIn.begin(person)
    if (begun === undefined) throw new SurfaceError('UNAUTHORIZED', 'That passkey does not sign anybody in here, or it took too long. Please try again, or use a code.', { headers: { 'WWW-Authenticate': 'Passkey realm="pantry"' } })
    if (caller.session !== undefined && caller.id !== undefined) await signIn.end(caller.id, caller.session.id)
    return reply({ done: 'You are signed in.' }, { headers: { 'Set-Cookie': cookieOf(begun.secret, service.base_url) } })
  }
})
