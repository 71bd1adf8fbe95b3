import { reply, Type } from 'pantry/handler'
import { cookieOf } from '../../../accounts/cookie.ts'
import { checkSecure, wrongCode } from '../../../accounts/own.ts'
import { Done, MailedCode, Request } from '../../../accounts/schemas.ts'
import { defineHandler } from '../../../define.ts'

/** Begins a session for a code that was mailed, in the browser that asked for it. */
export default defineHandler({
  body: { schema: Type.Object({ request: Request, code: MailedCode }, { additionalProperties: false }), limitBytes: 1024 },
  reply: Done,
  async handle ({ body: { request, code }, caller, service }, { mailedCodes, signIn }) {
    checkSecure(service.base_url)
    const person = await mailedCodes.use(request, code, ['sign-in'], used => Promise.resolve(used.person))
    const begun = person == null ? undefined : await signIn.begin(person)
    if (begun === undefined) throw wrongCode()
    if (caller.session !== undefined && caller.id !== undefined) await signIn.end(caller.id, caller.session.id)
    return reply({ done: 'You are signed in.' }, { headers: { 'Set-Cookie': cookieOf(begun.secret, service.base_url) } })
  }
})
