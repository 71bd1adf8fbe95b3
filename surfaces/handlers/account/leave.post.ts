import { invalid, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { endTrading } from '../../market/trade.ts'
import { personOf, requireFresh } from '../../people/callers.ts'
import { Done } from '../../people/schemas.ts'
import { noCookie } from '../../people/sign-in.ts'

/** Erases the caller's account with all their data. */
export default defineHandler({
  body: {
    schema: Type.Object(
      { username: Type.String({ maxLength: 80, description: 'Your username, so that nobody leaves by mistake.' }) },
      { additionalProperties: false }
    ),
    limitBytes: 512
  },
  reply: Done,
  async handle({ body: { username }, caller, now, service }, { people, market }) {
    requireFresh(caller, now)
    const id = personOf(caller)
    if ((await people.byId(id))?.username !== username.trim().toLowerCase())
      throw invalid('username', 'To leave, write your own username.')
    await people.leave(id, {
      first: async transaction => {
        await endTrading(market, transaction, id)
      }
    })
    return reply(
      { done: 'You have left. Everything that was yours is erased.' },
      { cookies: [noCookie(service.base_url)] }
    )
  }
})
