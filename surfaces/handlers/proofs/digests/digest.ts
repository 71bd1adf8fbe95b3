import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { BatchShown } from '../../../proofs/proofs.ts'

/** Returns a batch with all of its receipts. */
export default defineHandler({
  params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the batch.' }) }),
  reply: BatchShown,
  async handle({ params: { id } }, { proofs }) {
    return reply(await proofs.batch(id))
  }
})
