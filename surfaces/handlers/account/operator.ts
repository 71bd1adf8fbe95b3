import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { scopes, tierNames } from '../../people/keys.ts'
import { AccountsOverview } from '../../people/schemas.ts'

const mostActs = 200

/** Returns the account overview for operators: people, keys and the last acts, without secrets. */
export default defineHandler({
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostActs, default: 50, description: 'Most acts to show.' })
    )
  }),
  reply: AccountsOverview,
  async handle({ query: { limit = 50 } }, { people, keys, acts, organisations }) {
    const [all, given, done, entries] = await Promise.all([people.all(), keys.all(), acts(limit), organisations.all()])
    return reply({ people: all, keys: given, acts: done, organisations: entries, tiers: tierNames, scopes })
  }
})
