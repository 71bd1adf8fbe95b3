import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { compute, Computed, ComputeRequest } from '../../proofs/draw.ts'

/** Recomputes a draw from the inputs in the request. */
export default defineHandler({
  body: { schema: ComputeRequest, limitBytes: 65_536 },
  reply: Computed,
  handle({ body }) {
    return reply(compute(body))
  }
})
