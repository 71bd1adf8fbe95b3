import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { personOf } from '../../../people/callers.ts'
import { publicationNames } from '../../../people/receipts.ts'
import { Done } from '../../../people/schemas.ts'

/** Withdraws the caller's consent to publish a scope, with immediate effect. */
export default defineHandler({
  params: Type.Object({ scope: Type.Enum(publicationNames, { description: 'What is no longer public.' }) }),
  reply: Done,
  async handle({ params: { scope }, caller }, { receipts }) {
    if (!(await receipts.withdraw(personOf(caller), scope))) throw notFound('current receipt for', scope)
    return reply({ done: 'It is no longer public.' })
  }
})
