import { closed, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { resolveSignal, setSignal, SignalRequest } from '../../../market/operating.ts'
import { personOf } from '../../../people/callers.ts'
import { Done, Id } from '../../../people/schemas.ts'

export const post = defineHandler({
  body: { schema: SignalRequest, limitBytes: 10_240 },
  reply: Done,
  async handle({ body: { username, severity, reason }, caller }, { people, market }) {
    const person = await people.byName(username)
    if (person === undefined) throw notFound('person', username)
    await setSignal(market, person.id, severity, reason, personOf(caller))
    return reply({ done: 'The signal holds until it is resolved.' })
  }
})

export const resolvePost = defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: closed({}), limitBytes: 512 },
  reply: Done,
  async handle({ params: { id }, caller }, { market }) {
    if ((await resolveSignal(market, id, personOf(caller))) === undefined) throw notFound('signal', id)
    return reply({ done: 'The signal is resolved.' })
  }
})
