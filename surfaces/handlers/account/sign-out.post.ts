import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { Done } from '../../people/schemas.ts'
import { noCookie } from '../../people/sign-in.ts'

/** Ends the session of the request. */
export default defineHandler({
  reply: Done,
  async handle({ caller, service }, { signIn }) {
    await signIn.end(personOf(caller), caller.session?.id ?? '')
    return reply({ done: 'You are signed out.' }, { cookies: [noCookie(service.base_url)] })
  }
})
