import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { checkSecure, requireMail } from '../../../people/callers.ts'
import { Asked } from '../../../people/schemas.ts'

/** Mails a code to sign in with. The response and its time are the same for every name. */
export default defineHandler({
  body: {
    schema: Type.Object(
      { username: Type.String({ minLength: 1, maxLength: 80, description: 'Your username.' }) },
      { additionalProperties: false }
    ),
    limitBytes: 1024
  },
  reply: Asked,
  async handle(request, { mailedCodes, shares, ways }) {
    const {
      body: { username },
      service
    } = request
    checkSecure(service.base_url)
    requireMail(ways)
    await shares.take('ask for a code by mail', request)
    return reply({
      request: await mailedCodes.forName(username, request),
      next: 'If somebody of that name has a confirmed address, a code is on its way to it: at most two in an hour for you, and three for all who ask; one more with a browser that they have signed in with.'
    })
  }
})
