import { notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../../define.ts'
import { resolveSignal } from '../../../../market/operating.ts'
import { personOf } from '../../../../people/callers.ts'
import { Done, Id } from '../../../../people/schemas.ts'

/** Resolves a fraud signal, which then no longer reduces the score. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: Type.Object({}, { additionalProperties: false }), limitBytes: 512 },
  reply: Done,
  async handle({ params: { id }, caller }, { market }) {
    if ((await resolveSignal(market, id, personOf(caller))) === undefined) throw notFound('signal', id)
    return reply({ done: 'The signal is resolved.' })
  }
})
