import { notFound, reply } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { setSignal, SignalRequest } from '../../../market/operating.ts'
import { personOf } from '../../../people/callers.ts'
import { Done } from '../../../people/schemas.ts'

/** Adds a fraud signal about a person. */
export default defineHandler({
  body: { schema: SignalRequest, limitBytes: 8192 },
  reply: Done,
  async handle({ body: { username, severity, reason }, caller }, { people, market }) {
    const person = await people.byName(username)
    if (person === undefined) throw notFound('person', username)
    await setSignal(market, person.id, severity, reason, personOf(caller))
    return reply({ done: 'The signal holds until it is resolved.' })
  }
})
