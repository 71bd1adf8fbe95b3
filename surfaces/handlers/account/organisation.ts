import { closed, invalid, reply, SurfaceError } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { OrganisationEntry } from '../../people/collector-schemas.ts'
import { Done } from '../../people/schemas.ts'

export const post = defineHandler({
  body: { schema: OrganisationEntry, limitBytes: 8192 },
  reply: Done,
  async handle({ body, caller }, { organisations, games }) {
    const tokens = games.all.map(({ token }) => token)
    const unknown = body.games.find(token => !tokens.includes(token))
    if (unknown !== undefined) throw invalid('games', `No game has the token \`${unknown}\`.`, tokens)
    await organisations.put(personOf(caller), body)
    return reply({ done: 'The entry is kept. It is shown with your receipt, once the operator has approved it.' })
  }
})

export const removePost = defineHandler({
  body: { schema: closed({}), limitBytes: 512 },
  reply: Done,
  async handle({ caller }, { organisations }) {
    const person = personOf(caller)
    if (!(await organisations.remove({ person }, person)))
      throw new SurfaceError('NOT_FOUND', 'There is no entry of yours here.')
    return reply({ done: 'The entry is gone.' })
  }
})
