import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Consistency } from '../../proofs/proofs.ts'

/** Proves that nothing before a head was changed up to a later one. */
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
