import { reply, SurfaceError, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { checkSecure } from '../../people/callers.ts'
import { Done } from '../../people/schemas.ts'
import { cookiesOf } from '../../people/sign-in.ts'

/** Begins a session with a username and a one-time code. All failures get the same response in the same time. */
export default defineHandler({
  body: {
    schema: Type.Object(
      {
        username: Type.String({ minLength: 1, maxLength: 80, description: 'Your username.' }),
        code: Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'The one-time code that you were given, with or without its hyphen.'
        })
      },
      { additionalProperties: false }
    ),
    limitBytes: 1024
  },
  reply: Done,
  async handle(request, services) {
    const {
      body: { username, code },
      service
    } = request
    checkSecure(service.base_url)
    const begun = await services.shares.spend(
      'try to sign in',
      request,
      async () => await services.signIn.withCode(username, code, request)
    )
    if (begun === undefined)
      throw new SurfaceError(
        'UNAUTHORIZED',
        'That name and that code do not fit, or the code has ended. Please ask for a new one.',
        { headers: { 'WWW-Authenticate': 'Code realm="pantry"' } }
      )
    return reply({ done: 'You are signed in.' }, { cookies: await cookiesOf(begun, request, services) })
  }
})
