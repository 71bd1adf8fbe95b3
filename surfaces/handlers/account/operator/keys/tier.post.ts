import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../../define.ts'
import { personOf } from '../../../../people/callers.ts'
import { Done, Id, TierChange } from '../../../../people/schemas.ts'

/** Changes the tier of a key. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: TierChange, limitBytes: 512 },
  reply: Done,
  async handle({ params: { id }, body: { tier }, caller }, { keys }) {
    if (!(await keys.setTier(id, tier, personOf(caller)))) throw notFound('key', id)
    return reply({ done: `The key has the tier ${tier}.` })
  }
})
