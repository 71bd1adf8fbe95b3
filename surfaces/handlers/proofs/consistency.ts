import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Consistency } from '../../proofs/proofs.ts'

/** Returns the proof that a later head extends an earlier one without changes. */
export default defineHandler({
  query: Type.Object({
    from: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the earlier batch.' }),
    to: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the later batch.' })
  }),
  reply: Consistency,
  async handle({ query: { from, to } }, { proofs }) {
    return reply(await proofs.consistency(from, to))
  }
})
