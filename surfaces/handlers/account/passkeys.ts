import { closed, invalid, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf, requireFresh } from '../../people/callers.ts'
import { RegistrationOptions, maxPasskeys, RegistrationResponse } from '../../people/passkeys.ts'
import { Done, Id } from '../../people/schemas.ts'

export const optionsPost = defineHandler({
  reply: RegistrationOptions,
  async handle({ caller, now, service }, { people, passkeys }) {
    requireFresh(caller, now)
    const id = personOf(caller)
    const person = await people.byId(id)
    return reply(await passkeys.registrationOptions({ id, username: person?.username ?? '' }, service))
  }
})

export const post = defineHandler({
  body: {
    schema: closed({
      name: Type.String({ minLength: 1, maxLength: 80, description: 'What you call it.' }),
      response: RegistrationResponse
    }),
    limitBytes: 32_768
  },
  reply: Done,
  async handle({ body: { name, response }, caller, now, service }, { passkeys }) {
    requireFresh(caller, now)
    if (!(await passkeys.register(personOf(caller), name, response, service)))
      throw invalid(
        'response',
        `This passkey cannot be added: its challenge was not given to you, was used or has ended, it is here already, or you have ${maxPasskeys}.`
      )
    return reply({ done: 'The passkey is added.' })
  }
})

export const removePost = defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { passkeys }) {
    if (!(await passkeys.remove(personOf(caller), id))) throw notFound('passkey of yours', id)
    return reply({ done: 'The passkey is removed.' })
  }
})
