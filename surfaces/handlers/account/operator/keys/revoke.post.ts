import { notFound, reply, Type } from 'pantry/handler'
import { personOf } from '../../../../accounts/own.ts'
import { Done, Id } from '../../../../accounts/schemas.ts'
import { defineHandler } from '../../../../define.ts'

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
