import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../../define.ts'
import { personOf } from '../../../../people/callers.ts'
import { Change, Done, Id } from '../../../../people/schemas.ts'

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
