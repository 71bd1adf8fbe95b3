import { reply } from 'pantry/handler'
import { personOf, requireFresh } from '../../accounts/own.ts'
import { KeyRequest, NewKey } from '../../accounts/schemas.ts'
import { defineHandler } from '../../define.ts'

/**
 * A new key for an agent of the person who asks, with the only time that it is shown. More scopes and another tier are
 * given by the operator.
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
