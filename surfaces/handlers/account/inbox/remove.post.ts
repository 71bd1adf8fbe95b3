import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { Done, Id } from '../../../people/schemas.ts'

/** Deletes a report. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { inbox }) {
    if (!(await inbox.remove(id, personOf(caller)))) throw notFound('report', id)
    return reply({ done: 'The report is deleted, with its reply.' })
  }
})
