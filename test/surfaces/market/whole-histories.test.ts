// test: sampled.
import fc from 'fast-check'
import t from 'tap'
import { SurfaceError } from '../../../core/handler/errors.ts'
import { acceptOffer, makeOffer, placeBid } from '../../../surfaces/market/bidding.ts'
import { lockStandings } from '../../../surfaces/market/locks.ts'
import {
  cancelAuction,
  createListing,
  decideListing,
  editListing,
  submitListing
} from '../../../surfaces/market/listing.ts'
import type { Actor, ActHandler } from '../../../surfaces/market/perform.ts'
import { applyAllDue } from '../../../surfaces/market/due.ts'
import { inTransaction } from '../../../surfaces/common/repository.ts'
import {
  decideDispute,
  giveAddress,
  markPaid,
  markReceived,
  markShipped,
  openDispute,
  writeReview
} from '../../../surfaces/market/trade.ts'
import { times } from '../../support/effort.ts'
import { marketStage, readAuction, sku } from './stage.ts'
import { ModelAuction, type Step, type Terms } from './whole-model.ts'

const { store, member, act } = await marketStage(t)
const { knex } = store
const doings: Readonly<Record<string, ActHandler<never>>> = {
  edit: editListing,
  submit: submitListing,
  approve: decideListing,
  refuse: decideListing,
  cancel: cancelAuction,
  remove: cancelAuction,
  bid: placeBid,
  offer: makeOffer,
  accept: acceptOffer,
  paid: markPaid,
  address: giveAddress,
  shipped: markShipped,
  received: markReceived,
  review: writeReview,
  dispute: openDispute,
  decide: decideDispute
}
const bodies: Readonly<Record<string, object>> = {
  approve: { decision: 'approve' },
  refuse: { decision: 'refuse' },
  cancel: { reason: 'x' },
  remove: { reason: 'x', remove: true },
  address: { address: 'Somewhere 1' },
  review: { stars: 3 },
  dispute: { statement: 'It is another one.' },
  decide: { outcome: 'dismissed', reason: 'x' }
}
const members = [
  'act',
  'limit',
  'min_next_bid',
  'approval',
  'bid_count',
  'payment_expires_at',
  'allow_best_offer',
  'shipped_at',
  'received_at',
  'by',
  'dispute',
  'field',
  'status'
]

/** The code of a refusal, and what its details are about; undefined where it was done. */
async function reasonOf(doing: Promise<unknown>): Promise<string | undefined> {
  try {
    await doing
    return undefined
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error
    const about = members.find(name => name in (error.details ?? {}))
    return error.code === 'NOT_FOUND' || error.code === 'SOURCE_UNAVAILABLE' || about === undefined
      ? error.code
      : `${error.code} ${about}`
  }
}

/** The same act, whose connection the server ends before it is committed. */
const crashing = (doing: ActHandler<never>): ActHandler<never> =>
  Object.assign(async (given: Parameters<ActHandler<never>>[0]) => {
    const done = await doing(given)
    const {
      rows: [own]
    } = await given.store.knex.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')
    await knex.raw('select pg_terminate_backend(?)', [own?.pid ?? 0])
    return done
  }, doing)

const terms: fc.Arbitrary<Terms> = fc
  .record({
    type: fc.constantFrom('english', 'english', 'dutch', 'buy_now'),
    start: fc.integer({ min: 200, max: 3000 }),
    step: fc.integer({ min: 1, max: 300 }),
    reserve: fc.option(fc.integer({ min: 3000, max: 4000 })),
    buyNow: fc.option(fc.integer({ min: 4000, max: 6000 })),
    takesOffers: fc.boolean(),
    isConsignment: fc.boolean()
  })
  .map(one => (one.type === 'english' ? one : { ...one, reserve: null, buyNow: null }))
const words = [
  'bid',
  'bid',
  'bid',
  'bid',
  'offer',
  'accept',
  'edit',
  'submit',
  'approve',
  'refuse',
  'cancel',
  'remove',
  'paid',
  'address',
  'shipped',
  'received',
  'review',
  'dispute',
  'decide',
  'suspend',
  'finish',
  'drop',
  'wait',
  'tick'
]
const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat({ max: 4 }),
  on: fc.nat({ max: 1 }),
  what: fc.constantFrom(...words),
  amount: fc.integer({ min: 100, max: 6500 }),
  crash: fc.integer({ min: 0, max: 9 }).map(one => one === 0)
})
/** Most histories go the way of a trade, with anything in between. */
const likely: readonly Partial<Step>[] = [
  { who: 0, what: 'edit', amount: 300 },
  { who: 0, what: 'submit' },
  { who: 4, what: 'approve' },
  { who: 1, what: 'bid' },
  { what: 'offer', who: 2 },
  { who: 2, what: 'bid' },
  { who: 0, what: 'accept' },
  { what: 'finish' },
  { what: 'tick' },
  { who: 2, what: 'address' },
  { who: 4, what: 'paid' },
  { who: 0, what: 'shipped' },
  { who: 2, what: 'address' },
  { who: 2, what: 'received' },
  { who: 2, what: 'review' },
  { who: 0, what: 'dispute' },
  { who: 4, what: 'decide' }
]
const history = fc
  .array(fc.tuple(fc.constantFrom(0, 1), step, fc.integer({ min: 0, max: 3 })), { minLength: 10, maxLength: 40 })
  .map(all => {
    let next = 0
    return all.map(([on, one, chance]): Step =>
      chance === 0 ? one : { ...one, on: on === 0 ? 0 : one.on, ...likely[next++ % likely.length] }
    )
  })
let round = 0

t.test(
  'random histories of sellers, bidders and admins, with crashes and steps of the clock: each act is done or refused with the reason of a model, and the sums are its sums',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(terms, terms), history, async (both, steps) => {
        round += 1
        const people: Actor[] = []
        for (let who = 0; who < 5; who += 1) people.push(await member(`history-${round}-${who}`, who === 4))
        const suspended = new Set<number>()
        const models = both.map(one => new ModelAuction(one))
        const ids = await Promise.all(
          both.map(
            async one =>
              (
                await createListing(store, people[0]!, {
                  sku,
                  title: 'A card',
                  condition: 'NM',
                  auction_type: one.type,
                  starting_price: one.start,
                  allow_best_offer: one.takesOffers,
                  is_consignment: one.isConsignment,
                  ends_at: new Date(Date.now() + 3_600_000).toISOString(),
                  ...(one.type === 'english'
                    ? { bid_increment: one.step, reserve_price: one.reserve, buy_now_price: one.buyNow }
                    : one.type === 'dutch'
                      ? { dutch_end_price: 100, dutch_price_drop: 500, dutch_drop_interval_seconds: 86_400 }
                      : {})
                })
              ).auction_id
          )
        )
        const done: string[] = []
        for (const one of steps) {
          const [id = '', model] = [ids[one.on], models[one.on]]
          if (model === undefined) continue
          const asker = people[one.who]!
          const elsewhere = (who: number): number =>
            models.reduce((sum, other) => (other === model ? sum : sum + other.bound(who)), 0)
          if (one.what === 'suspend') {
            if (one.who === 4) continue
            const now = !suspended.has(one.who)
            await knex('people')
              .where({ id: asker.person })
              .update({ suspended_at: now ? knex.fn.now() : null })
            if (now) suspended.add(one.who)
            else suspended.delete(one.who)
          } else if (one.what === 'finish') {
            if (!['scheduled', 'live'].includes(model.status)) continue
            await knex('auctions')
              .where({ id })
              .update({
                starts_at: knex.raw("starts_at - interval '2 hours'"),
                ends_at: knex.raw("date_trunc('milliseconds', clock_timestamp())")
              })
            model.is.over = true
            await applyAllDue(store)
            for (const other of models) other.pass(suspended)
          } else if (one.what === 'drop') {
            if (model.terms.type !== 'dutch' || model.status !== 'live') continue
            await knex('auctions')
              .where({ id })
              .update({ starts_at: knex.raw("starts_at - interval '1 day'") })
            model.drops += 1
          } else if (one.what === 'wait') {
            if (model.status !== 'ended') continue
            await knex('auctions')
              .where({ id })
              .update({ actual_end_at: knex.raw("actual_end_at - interval '8 days'") })
            model.is.unpaid = true
          } else if (one.what === 'tick') await applyAllDue(store)
          else {
            const wanted = model.act(one, suspended, elsewhere, true)
            const [offer] = await knex('auction_bids')
              .where({ auction: id, state: 'open' })
              .orderBy('amount', 'desc')
              .orderBy('id')
              .limit(1)
              .select<{ id: number }[]>('id')
            const body =
              bodies[one.what] ??
              (one.what === 'accept'
                ? { offer: offer?.id ?? 1 }
                : one.what === 'edit'
                  ? { starting_price: one.amount }
                  : ['bid', 'offer'].includes(one.what)
                    ? { amount: one.amount }
                    : {})
            const doing = doings[one.what]!
            if (one.crash && wanted === undefined) {
              if ((await reasonOf(act(asker, id, body as never, crashing(doing)))) !== 'SOURCE_UNAVAILABLE')
                throw new Error(`${JSON.stringify(one)} was done on a connection that was lost`)
            } else {
              const found = await reasonOf(act(asker, id, body as never, doing))
              if (found !== wanted)
                throw new Error(
                  `${JSON.stringify(one)} on ${model.terms.type} ${model.status}: ${found ?? 'done'}, not ${wanted ?? 'done'}; after ${done.join(', ')}`
                )
              if (wanted === undefined) model.act(one, suspended, elsewhere, false)
            }
          }
          done.push(`${one.who} ${one.what} ${one.on}`)
          await applyAllDue(store)
          for (const [place, other] of models.entries()) {
            const row = await readAuction(store, ids[place] ?? '')
            const [held, modelled] = [
              [row?.status, row?.winning_price, row?.winner, row?.bid_count, row?.current_price],
              [
                other.status,
                other.sale?.amount ?? null,
                other.sale === null ? null : people[other.sale.who]?.person,
                other.bids.length,
                other.top?.amount ?? null
              ]
            ]
            if (JSON.stringify(held) !== JSON.stringify(modelled))
              throw new Error(
                `it is ${JSON.stringify(held)}, not ${JSON.stringify(modelled)}; after ${done.join(', ')}`
              )
          }
        }
        for (const [who, { person }] of people.entries()) {
          const standing = await inTransaction(store, async transaction =>
            (await lockStandings(transaction, [person], '00000000-0000-0000-0000-000000000000')).get(person)
          )
          const sum = models.reduce((total, model) => total + model.bound(who), 0)
          if (standing !== undefined && standing.begun !== sum)
            throw new Error(`${who} is bound to ${standing.begun}, not to ${sum}; after ${done.join(', ')}`)
        }
      }),
      { numRuns: times(150), verbose: fc.VerbosityLevel.Verbose, endOnFailure: true }
    )
  }
)
