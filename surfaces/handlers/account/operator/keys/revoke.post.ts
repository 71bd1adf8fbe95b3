import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../../define.ts'
import { personOf } from '../../../../people/callers.ts'
import { Done, Id } from '../../../../people/schemas.ts'

/** Revokes a key of any person. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: Type.Object({}, { additionalProperties: false }), limitBytes: 512 },
  reply: Done,
  async handle({ params: { id }, caller }, { keys }) {
    if (!(await keys.revoke(id, { actor: personOf(caller) }))) throw notFound('key', id)
    return reply({ done: 'The key is refused from now on.' })
  }
})
