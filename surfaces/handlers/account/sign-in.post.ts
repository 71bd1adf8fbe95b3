import { reply, SurfaceError, Type } from 'pantry/handler'
import { cookieOf } from '../../accounts/cookie.ts'
import { checkSecure } from '../../accounts/own.ts'
import { Done } from '../../accounts/schemas.ts'
import { defineHandler } from '../../define.ts'

/** Begins a session for a name and a one-time code. It says the same of every pair that does not fit, in the same time. */
export default defineHandler({
  body: {
    schema: Type.Object({
      username: Type.String({ minLength: 1, maxLength: 80, description: 'Your username.' }),
      code: Type.String({ minLength: 1, maxLength: 40, description: 'The one-time code that you were given, with or without its hyphen.' })
    }, { additionalProperties: false }),
    limitBytes: 1024
  },
  reply: Done,
  async handle ({ body: { username, code }, caller, service }, { signIn }) {
    checkSecure(service.base_url)
    const begun = await signIn.withCode(username, code)
    if (begun === undefined) throw new SurfaceError('UNAUTHORIZED', 'That name and that code do not fit, or the code has ended. Please ask for a new one.', { headers: { 'WWW-Authenticate': 'Code realm="pantry"' } })
    // Each sign-in has a session of its own: one that was there before is not taken over.
    if (caller.session !== undefined && caller.id !== undefined) await signIn.end(caller.id, caller.session.id)
    return reply({ done: 'You are signed in.' }, { headers: { 'Set-Cookie': cookieOf(begun.secret, service.base_url) } })
  }
})
