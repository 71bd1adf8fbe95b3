import { notFound, reply, Type } from 'pantry/handler'
import { personOf } from '../../../../accounts/own.ts'
import { Change, Done, Id } from '../../../../accounts/schemas.ts'
import { defineHandler } from '../../../../define.ts'

/** Gives a key the scope `hunt`, or takes it away. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: Change, limitBytes: 512 },
  reply: Done,
  async handle({ params: { id }, body: { change }, caller }, { keys }) {
    if (!(await keys.setScopes(id, change === 'give' ? ['read', 'hunt'] : ['read'], personOf(caller))))
      throw notFound('key', id)
    return reply({ done: change === 'give' ? 'The key may take turns.' : 'The key only reads.' })
  }
})
