import { reply } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { signals, waiting } from '../../../market/operating.ts'
import { Desk } from '../../../market/reports.ts'

/** Returns what waits for an operator, and the rows that the last imports left out. */
export default defineHandler({
  reply: Desk,
  async handle({ pathTo }, { market, reports, inbox, huntCases, leftOut }) {
    const [auctions, reported, held, answered, cases, left] = await Promise.all([
      waiting(market),
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
