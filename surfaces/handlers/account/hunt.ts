import { reply, Type } from 'pantry/handler'
import { ReviewList } from '../../coverage/hunt/cases.ts'
import { ReviewRequest } from '../../coverage/hunt/rules.ts'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { Done, Id } from '../../people/schemas.ts'

export default defineHandler({
  reply: ReviewList,
  handle: async (_, { huntCases }) => reply({ cases: [...(await huntCases.forReview())] })
})

/** Notes a person's review of a hunt case. It has no other effect: nothing is applied, scored or punished. */
export const reviewPost = defineHandler({
  params: Type.Object({ case_id: Id }),
  body: { schema: ReviewRequest, limitBytes: 16_384 },
  reply: Done,
  async handle({ params: { case_id: id }, body, caller }, { huntCases }) {
    await huntCases.review(id, body, personOf(caller))
    return reply({ done: 'The review is noted.' })
  }
})
