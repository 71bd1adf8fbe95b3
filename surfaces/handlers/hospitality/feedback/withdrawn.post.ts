import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { Done, Id } from '../../../people/schemas.ts'

/** Deletes a report by its id, which only its sender was given. */
export default defineHandler({
  body: { schema: Type.Object({ id: Id }, { additionalProperties: false }), limitBytes: 512 },
  reply: Done,
  async handle(request, { inbox, shares }) {
    const {
      body: { id }
    } = request
    await shares.take('take back a report', request)
    if (!(await inbox.remove(id))) throw notFound('report', id)
    return reply({ done: 'The report is deleted, with its reply.' })
  }
})
