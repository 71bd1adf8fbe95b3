import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { checkSecure, wrongCode } from '../../../people/callers.ts'
import { Done, MailedCode, Request } from '../../../people/schemas.ts'
import { cookiesOf } from '../../../people/sign-in.ts'

/** Begins a session with a mailed code, in the browser that requested it. */
export default defineHandler({
  body: {
    schema: Type.Object({ request: Request, code: MailedCode }, { additionalProperties: false }),
    limitBytes: 1024
  },
  reply: Done,
  async handle(asked, services) {
    const {
      body: { request, code },
      service
    } = asked
    checkSecure(service.base_url)
    const begun = await services.shares.spend('try to sign in', asked, async () => {
      const person = await services.mailedCodes.use(request, code, ['sign-in'], used => Promise.resolve(used.person))
      return person == null ? undefined : await services.signIn.begin(person)
    })
    if (begun === undefined) throw wrongCode()
    return reply({ done: 'You are signed in.' }, { cookies: await cookiesOf(begun, asked, services) })
  }
})
