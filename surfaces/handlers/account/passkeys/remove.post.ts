import { notFound, reply, Type } from 'pantry/handler'
import { personOf } from '../../../accounts/own.ts'
import { Done, Id } from '../../../accounts/schemas.ts'
import { defineHandler } from '../../../define.ts'

/** Removes a passkey of the caller. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { passkeys }) {
    if (!(await passkeys.remove(personOf(caller), id))) throw notFound('passkey of yours', id)
    return reply({ done: 'The passkey is removed.' })
  }
})
