import { notFound, reply, Type } from 'pantry/handler'
import { personOf } from '../../../../accounts/own.ts'
import { Done, Id, TierChange } from '../../../../accounts/schemas.ts'
import { defineHandler } from '../../../../define.ts'

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
