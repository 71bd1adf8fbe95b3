import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf, requireFresh } from '../../people/callers.ts'
import { Done, Id, KeyRequest, NewKey } from '../../people/schemas.ts'

/**
 * Creates a key of a person's agent. Its text is never shown again. Only the operator can give a key more scopes or
 * another tier.
 */
export const post = defineHandler({
  body: { schema: KeyRequest, limitBytes: 2048 },
  reply: NewKey,
  async handle(request, { keys, shares }) {
    const { name, contact, days } = request.body
    requireFresh(request.caller, request.now)
    await shares.take('make a key', request)
    const person = personOf(request.caller)
    return reply(await keys.create({ kind: 'agent', name, contact, days, person }, person))
  }
})

export const revokePost = defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { keys }) {
    const person = personOf(caller)
    if (!(await keys.revoke(id, { person, actor: person }))) throw notFound('key of yours that still holds', id)
    return reply({ done: 'The key is revoked.' })
  }
})
