import { reply, SurfaceError, Type } from 'pantry/handler'
import { personOf, requireFresh } from '../../../accounts/own.ts'
import { Done } from '../../../accounts/schemas.ts'
import { defineHandler } from '../../../define.ts'

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
