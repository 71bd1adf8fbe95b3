import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { Change, Done, Id, Revocation, TierChange } from '../../../people/schemas.ts'

export const tierPost = defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: TierChange, limitBytes: 512 },
  reply: Done,
  async handle({ params: { id }, body: { tier }, caller }, { keys }) {
    if (!(await keys.setTier(id, tier, personOf(caller)))) throw notFound('key', id)
    return reply({ done: `The key has the tier ${tier}.` })
  }
})

export const huntPost = defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: Change, limitBytes: 512 },
  reply: Done,
  async handle({ params: { id }, body: { change }, caller }, { keys }) {
    if (!(await keys.setScopes(id, change === 'give' ? ['read', 'hunt'] : ['read'], personOf(caller))))
      throw notFound('key', id)
    return reply({ done: change === 'give' ? 'The key may take turns.' : 'The key only reads.' })
  }
})

export const revokePost = defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: Revocation, limitBytes: 2048 },
  reply: Done,
  async handle({ params: { id }, body: { reason }, caller }, { keys }) {
    if (!(await keys.revoke(id, { actor: personOf(caller), reason }))) throw notFound('key', id)
    return reply({ done: 'The key is refused from now on.' })
  }
})
