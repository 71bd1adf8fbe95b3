import { reply } from 'pantry/handler'
import { noCookie } from '../../accounts/cookie.ts'
import { personOf } from '../../accounts/own.ts'
import { Done } from '../../accounts/schemas.ts'
import { defineHandler } from '../../define.ts'

/** Ends the session of the request. */
export default defineHandler({
  reply: Done,
  async handle({ caller, service }, { signIn }) {
    await signIn.end(personOf(caller), caller.session?.id ?? '')
    return reply({ done: 'You are signed out.' }, { cookies: [noCookie(service.base_url)] })
  }
})
