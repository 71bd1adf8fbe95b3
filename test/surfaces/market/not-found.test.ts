import t from 'tap'
import type { PathTo } from '../../../core/manifest/paths.ts'
import { placeBid } from '../../../surfaces/market/bidding.ts'
import { applyAllDue } from '../../../surfaces/market/due.ts'
import { cancelAuction, createListing } from '../../../surfaces/market/listing.ts'
import { MarketReads } from '../../../surfaces/market/reads.ts'
import { Trust } from '../../../surfaces/market/trust.ts'
import { marketStage, refusal, sku } from './stage.ts'

const { store, member, live, act } = await marketStage(t)
const { knex } = store
const trust = new Trust(store)
const reads = new MarketReads(store, trust, async () => true)
const pathTo = Object.assign((id: string): string => id, { pattern: (id: string): string => id }) as PathTo

/** The statements that the database is asked while something is refused as not found. */
async function statementsOf(doing: () => Promise<unknown>): Promise<readonly string[]> {
  const asked: string[] = []
  const hear = ({ sql }: { sql: string }): void => {
    asked.push(sql)
  }
  knex.on('query', hear)
  t.equal(await refusal(doing()), 'NOT_FOUND')
  knex.off('query', hear)
  return asked
}

t.test(
  'what is not found takes the same statements, whether there is nothing, a draft, or what is not approved, removed or of somebody suspended',
  async t => {
    const [ada, bob, keeper, doomed] = [
      await member('ada'),
      await member('bob'),
      await member('keeper', true),
      await member('doomed')
    ]
    const { auction_id: draft } = await createListing(store, ada, {
      sku,
      title: 'A card',
      condition: 'NM',
      auction_type: 'english',
      starting_price: 900
    })
    const [pending, removed, suspended] = [
      await live(ada, { is_consignment: true }),
      await live(ada),
      await live(doomed)
    ]
    await applyAllDue(store)
    await act(keeper, removed, { reason: 'Forged.', remove: true }, cancelAuction)
    await knex('people').where({ id: doomed.person }).update({ suspended_at: new Date() })
    const viewers = [
      { person: undefined, isAdmin: false },
      { person: bob.person, isAdmin: false }
    ]
    const ways: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      one: async id => await reads.one(viewers[1] ?? bob, id, pathTo),
      anonymous: async id => await reads.one(viewers[0] ?? bob, id, pathTo),
      bids: async id => await reads.bids(viewers[1] ?? bob, id),
      published: async id => await reads.published(id, pathTo),
      blocks: async id => await reads.blocks(id, pathTo),
      write: async id => await act(bob, id, { amount: 1000 }, placeBid)
    }
    for (const [way, ask] of Object.entries(ways)) {
      const expected = await statementsOf(async () => await ask('00000000-0000-4000-8000-000000000000'))
      t.ok(
        expected.some(sql => sql.includes('auctions')),
        way
      )
      for (const [kind, id] of Object.entries({ draft, pending, removed, suspended, malformed: 'no id' }))
        t.same(await statementsOf(async () => await ask(id)), expected, `${way}: ${kind}`)
    }
  }
)

t.test('so does trust in nobody, in somebody who did not agree, and in somebody who is suspended', async t => {
  await member('hidden')
  const expected = await statementsOf(async () => await trust.of('nobody-here', pathTo))
  t.equal(expected.length, 1)
  for (const name of ['hidden', 'doomed', 'Not A Name'])
    t.same(await statementsOf(async () => await trust.of(name, pathTo)), expected, name)
})
