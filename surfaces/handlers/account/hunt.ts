import { reply } from 'pantry/handler'
import { ReviewList } from '../../coverage/hunt/cases.ts'
import { defineHandler } from '../../define.ts'

/** Returns the cases for reviewers, with the operators of the agents. */
export default defineHandler({
  reply: ReviewList,
  async handle(_, { huntCases }) {
    return reply({ cases: [...(await huntCases.forReview())] })
  }
})
