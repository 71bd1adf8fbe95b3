import { reply } from 'pantry/handler'
import { boardOf } from '../../../coverage/find-candidates.ts'
import { agentOf, Case } from '../../../coverage/hunt/cases.ts'
import { TurnRequest } from '../../../coverage/hunt/rules.ts'
import { defineHandler } from '../../../define.ts'

/** Takes a turn: a scout opens a case, a checker and a mirror continue it. Returns the updated case. */
export default defineHandler({
  body: { schema: TurnRequest, limitBytes: 32_768 },
  reply: Case,
  async handle({ body, caller, now, pathTo }, services) {
    return reply(
      await services.huntCases.contribute(agentOf(caller), body, async wanted => {
        const { candidates } = await boardOf(services, { game: null, kind: null, now, pathTo })
        return candidates.find(({ candidate: { id } }) => id === wanted)
      })
    )
  }
})
