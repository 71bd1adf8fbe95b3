import { reply } from 'pantry/handler'
import { ReviewList } from '../../coverage/hunt/cases.ts'
import { defineHandler } from '../../define.ts'

/** Cases for who reviews them, with who operates the agents. */
export default defineHandler({
  reply: ReviewList,
  async handle(_, { huntCases }) {
    return reply({ cases: [...(await huntCases.forReview())] })
  }
})
