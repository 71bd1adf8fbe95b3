import { invalid, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf, requireFresh } from '../../people/callers.ts'
import { mostPasskeys, Registered } from '../../people/passkeys.ts'
import { Done } from '../../people/schemas.ts'

/** Adds a passkey to the caller's account. */
export default defineHandler({
  body: {
    schema: Type.Object(
      { name: Type.String({ minLength: 1, maxLength: 80, description: 'What you call it.' }), response: Registered },
      { additionalProperties: false }
    ),
    limitBytes: 32_768
  },
  reply: Done,
  async handle({ body: { name, response }, caller, now, service }, { passkeys }) {
    requireFresh(caller, now)
    if (!(await passkeys.register(personOf(caller), name, response, service)))
      throw invalid(
        'response',
        `This passkey cannot be added: its challenge was not given to you, was used or has ended, it is here already, or you have ${mostPasskeys}.`
      )
    return reply({ done: 'The passkey is added.' })
  }
})
