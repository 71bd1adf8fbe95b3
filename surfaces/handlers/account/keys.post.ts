import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf, requireFresh } from '../../people/callers.ts'
import { KeyRequest, NewKey } from '../../people/schemas.ts'

/**
 * Creates a key for an agent of the caller; its text is never shown again. Only the operator can give it more scopes or
 * another tier.
 */
export default defineHandler({
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
