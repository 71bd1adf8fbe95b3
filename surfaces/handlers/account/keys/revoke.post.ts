import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { Done, Id } from '../../../people/schemas.ts'

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
