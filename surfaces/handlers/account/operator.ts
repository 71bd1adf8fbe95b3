import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { signals, pendingAuctions } from '../../market/operating.ts'
import { Desk } from '../../market/reports.ts'
import { scopes, tierNames } from '../../people/keys.ts'
import { AccountsOverview } from '../../people/schemas.ts'

export default defineHandler({
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Most acts to show.' }))
  }),
  reply: AccountsOverview,
  async handle({ query: { limit = 50 } }, { people, keys, acts, organisations }) {
    const [known, created, done, entries] = await Promise.all([
      people.all(),
      keys.all(),
      acts(limit),
      organisations.all()
    ])
    return reply({ people: known, keys: created, acts: done, organisations: entries, tiers: tierNames, scopes })
  }
})

export const desk = defineHandler({
  reply: Desk,
  async handle({ pathTo }, { market, reports, inbox, huntCases, leftOut }) {
    const [auctions, reported, held, answered, cases, left] = await Promise.all([
      pendingAuctions(market),
      reports.waiting(pathTo),
      signals(market),
      inbox.waiting(),
      huntCases.waiting(),
      leftOut()
    ])
    return reply({
      auctions: auctions.map(one => ({ ...one, page: pathTo('pages/auctions/auction', { id: one.id }) })),
      reports: [...reported],
      signals: [...held],
      inbox: answered,
      cases,
      left_out: [...left]
    })
  }
})
