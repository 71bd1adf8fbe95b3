import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Fairness } from '../../proofs/fairness.ts'

/** Whether what was drawn fits the rates. */
export default defineHandler({
  reply: Fairness,
  async handle(_, { drawStudies }) {
    return reply(await drawStudies.fairness())
  }
})
