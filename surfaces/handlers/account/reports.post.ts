import { reply } from 'pantry/handler'
import { personOf } from '../../accounts/own.ts'
import { Done } from '../../accounts/schemas.ts'
import { defineHandler } from '../../define.ts'
import { ReportRequest } from '../../reports/schemas.ts'

/** Stores a report of another person's content. */
export default defineHandler({
  body: { schema: ReportRequest, limitBytes: 8192 },
  reply: Done,
  async handle({ body, caller }, { reports }) {
    await reports.add(personOf(caller), body)
    return reply({ done: 'Thank you. An admin reads your report; whoever you reported is not told that it was you.' })
  }
})
