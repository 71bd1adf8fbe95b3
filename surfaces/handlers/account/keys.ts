import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf, requireFresh } from '../../people/callers.ts'
import { Done, Id, KeyRequest, NewKey } from '../../people/schemas.ts'

/**
 * Creates a key for an agent of the caller; its text is never shown again. Only the operator can give it more scopes or
 * another tier.
 */
export const post = defineHandler({
  body: { schema: KeyRequest, limitBytes: 2048 },
  reply: NewKey,
  async handle(request, { keys, shares }) {
    const {
      body: { name, contact, days },
      caller,
      now
    } = request
    requireFresh(caller, now)
    await shares.take('make a key', request)
    const person = personOf(caller)
    return reply(await keys.create({ kind: 'agent', name, contact, days, person }, person))
  }
})

/** Revokes a key of the caller; it is refused from the next request on. */
export const revokePost = defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { keys }) {
    const person = personOf(caller)
    if (!(await keys.revoke(id, { person, actor: person }))) throw notFound('key of yours that still holds', id)
    return reply({ done: 'The key is revoked.' })
  }
})
