import { notFound, reply, Type } from 'pantry/handler'
import { personOf } from '../../../accounts/own.ts'
import { Done, Id } from '../../../accounts/schemas.ts'
import { defineHandler } from '../../../define.ts'

/** Ends a session of the caller. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { signIn }) {
    if (!(await signIn.end(personOf(caller), id))) throw notFound('session of yours', id)
    return reply({ done: 'The session has ended.' })
  }
})
