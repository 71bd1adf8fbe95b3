import { reply, Type } from 'pantry/handler'
import { checkSecure, requireMail } from '../../../accounts/own.ts'
import { Asked } from '../../../accounts/schemas.ts'
import { defineHandler } from '../../../define.ts'

/** Mails a code to somebody who signs in. It says the same of every name, in the same time. */
export default defineHandler({
  body: { schema: Type.Object({ username: Type.String({ minLength: 1, maxLength: 80, description: 'Your username.' }) }, { additionalProperties: false }), limitBytes: 1024 },
  reply: Asked,
  async handle ({ body: { username }, service }, { mailedCodes, ways }) {
    checkSecure(service.base_url)
    requireMail(ways)
    return reply({ request: await mailedCodes.forName(username), next: 'If somebody of that name has a confirmed address, a code is on its way to it: at most three in an hour.' })
  }
})
