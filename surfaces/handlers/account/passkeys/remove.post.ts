import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { Done, Id } from '../../../people/schemas.ts'

/** Removes a passkey of the caller. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { passkeys }) {
    if (!(await passkeys.remove(personOf(caller), id))) throw notFound('passkey of yours', id)
    return reply({ done: 'The passkey is removed.' })
  }
})
