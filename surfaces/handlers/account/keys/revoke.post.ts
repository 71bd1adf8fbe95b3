import { notFound, reply, Type } from 'pantry/handler'
import { personOf } from '../../../accounts/own.ts'
import { Done, Id } from '../../../accounts/schemas.ts'
import { defineHandler } from '../../../define.ts'

/** Revokes a key of the caller; it is refused from the next request on. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { keys }) {
    const person = personOf(caller)
    if (!(await keys.revoke(id, { person, actor: person }))) throw notFound('key of yours that still holds', id)
    return reply({ done: 'The key is revoked.' })
  }
})
