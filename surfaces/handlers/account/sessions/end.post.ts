import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { Done, Id } from '../../../people/schemas.ts'

export default defineHandler({
  params: Type.Object({ id: Id }),
  reply: Done,
  async handle({ params: { id }, caller }, { signIn }) {
    if (!(await signIn.end(personOf(caller), id))) throw notFound('session of yours', id)
    return reply({ done: 'The session has ended.' })
  }
})
