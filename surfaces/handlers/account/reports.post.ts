import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { Done, ReportRequest } from '../../people/schemas.ts'

/** Stores a report of another person's content. */
export default defineHandler({
  body: { schema: ReportRequest, limitBytes: 8192 },
  reply: Done,
  async handle({ body, caller }, { reports }) {
    await reports.add(personOf(caller), body)
    return reply({ done: 'Thank you. An admin reads your report; whoever you reported is not told that it was you.' })
  }
})
