import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Fairness } from '../../proofs/fairness.ts'

/** Returns whether the results of the draws fit the rates. */
export default defineHandler({
  reply: Fairness,
  async handle(_, { drawStudies }) {
    return reply(await drawStudies.fairness())
  }
})
