import { closed, reply, Type } from 'pantry/handler'
import { agentOf, Case } from '../../../coverage/hunt/cases.ts'
import { statuses } from '../../../coverage/hunt/rules.ts'
import { defineHandler } from '../../../define.ts'

/** Returns the cases of the calling agent, the newest first. */
export default defineHandler({
  query: Type.Object({
    status: Type.Optional(Type.Enum([...statuses])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 }))
  }),
  reply: closed({ cases: Type.Array(Case) }),
  async handle({ query, caller }, { huntCases }) {
    return reply({ cases: [...(await huntCases.of(agentOf(caller), query))] })
  }
})
