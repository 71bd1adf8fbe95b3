import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { compute, Computed, ComputeRequest } from '../../proofs/compute.ts'

/** Computes a draw again of what is sent. */
export default defineHandler({
  body: { schema: ComputeRequest, limitBytes: 65_536 },
  reply: Computed,
  handle({ body }) {
    return reply(compute(body))
  }
})
