import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { BatchShown, DigestsShown } from '../../proofs/proofs.ts'

export default defineHandler({
  query: Type.Object({
    before: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Only batches before this number.' })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'How many batches at most.' })
    )
  }),
  reply: DigestsShown,
  async handle({ query: { before, limit = 100 } }, { proofs }) {
    const digests = [...(await proofs.batches({ before, limit }))]
    const next = digests.length < limit ? null : (digests.at(-1)?.head.batch ?? null)
    return reply(
      { '@kind': 'proof-digests', digests, count: digests.length, next_before: next },
      next === null ? {} : { next: { before: next } }
    )
  }
})

export const digest = defineHandler({
  params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the batch.' }) }),
  reply: BatchShown,
  handle: async ({ params: { id } }, { proofs }) => reply(await proofs.batch(id))
})
