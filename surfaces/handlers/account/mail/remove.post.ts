import { reply, SurfaceError, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf, requireFresh } from '../../../people/callers.ts'
import { Done } from '../../../people/schemas.ts'

/** Deletes the caller's mail address. */
export default defineHandler({
  body: { schema: Type.Object({}, { additionalProperties: false }), limitBytes: 512 },
  reply: Done,
  async handle({ caller, now }, { mailAddresses }) {
    requireFresh(caller, now)
    if (!(await mailAddresses.remove(personOf(caller))))
      throw new SurfaceError('NOT_FOUND', 'There is no address of yours here.')
    return reply({ done: 'The address is forgotten.' })
  }
})
