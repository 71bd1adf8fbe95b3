import { reply, SurfaceError, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { Done } from '../../../people/schemas.ts'

/** Deletes the caller's directory entry. */
export default defineHandler({
  body: { schema: Type.Object({}, { additionalProperties: false }), limitBytes: 512 },
  reply: Done,
  async handle({ caller }, { organisations }) {
    const person = personOf(caller)
    if (!(await organisations.remove({ person }, person)))
      throw new SurfaceError('NOT_FOUND', 'There is no entry of yours here.')
    return reply({ done: 'The entry is gone.' })
  }
})
