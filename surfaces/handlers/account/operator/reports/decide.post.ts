import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../../define.ts'
import { personOf } from '../../../../people/callers.ts'
import { Done, Id, ReportDecision } from '../../../../people/schemas.ts'

/** Decides a report, and with it all undecided reports of the same content. */
export default defineHandler({
  params: Type.Object({ id: Id }),
  body: { schema: ReportDecision, limitBytes: 8192 },
  reply: Done,
  async handle({ params: { id }, body, caller }, { reports }) {
    await reports.decide(id, body, personOf(caller))
    return reply({
      done: `It ${body.decision === 'remove' ? 'is out of sight' : 'stays'}, and the reports about it are decided.`
    })
  }
})
