import t from 'tap'
import { transitions } from '../../../surfaces/market/auction.ts'
import { acceptOffer, makeOffer, placeBid } from '../../../surfaces/market/bidding.ts'
import { applyAllDue } from '../../../surfaces/market/due.ts'
import {
  cancelAuction,
  createListing,
  decideListing,
  editListing,
  submitListing
} from '../../../surfaces/market/listing.ts'
import { carryOut, pendingAuctions } from '../../../surfaces/market/operating.ts'
import { perform } from '../../../surfaces/market/perform.ts'
import { seedAuctions } from '../../../surfaces/market/seed.ts'
import {
  decideDispute,
  giveAddress,
  markPaid,
  markReceived,
  markShipped,
  openDispute,
  writeReview
} from '../../../surfaces/market/trade.ts'
import { scoreNow } from '../../../surfaces/market/trust.ts'
import { marketStage, readAuction, refusal, sku } from './stage.ts'

const { store, member, live, act } = await marketStage(t)
const { knex } = store
const [ada, bob, cleo, keeper] = [
  await member('ada'),
  await member('bob'),
  await member('cleo'),
  await member('keeper', true)
]
/** Lets the end of an auction come. */
const endNow = async (id: string): Promise<void> => {
  await knex('auctions')
    .where({ id })
    .update({
      ends_at: knex.raw("clock_timestamp() - interval '1 millisecond'"),
      starts_at: knex.raw("clock_timestamp() - interval '2 hours'")
    })
}

t.test('the database holds the transitions of the table, and refuses others whoever asks', async t => {
  const held = await knex('auction_transitions').select<{ from_state: string; act: string; to_state: string }[]>()
  t.same(
    held.map(one => Object.values(one).join(' ')).sort(),
    transitions
      .filter(({ from }) => from !== null)
      .map(({ from, act, to }) => [from, act, to].join(' '))
      .sort()
  )
  const id = await live(ada)
  await t.rejects(knex('auctions').where({ id }).update({ status: 'paid' }), /cannot go from scheduled to paid/)
  await t.rejects(knex('auctions').where({ id }).update({ starting_price: 0 }), /check/)
  await t.rejects(
    knex('auction_bids').insert({
      auction: id,
      bidder: ada.person,
      kind: 'bid',
      amount: 1,
      state: 'placed',
      at: new Date()
    }),
    /live auction of somebody else/
  )
})

t.test('a trade from the draft to the reviews', async t => {
  const { auction_id: id } = await createListing(store, ada, {
    sku,
    title: 'Zoro',
    condition: 'NM',
    auction_type: 'english',
    starting_price: 900
  })
  t.equal(await refusal(act(bob, id, { amount: 1000 }, placeBid)), 'NOT_FOUND', 'a draft is not found')
  t.equal(await refusal(act(ada, id, {}, submitListing)), 'INVALID_INPUT', 'it has no end')
  t.equal(await refusal(act(ada, id, { sku: 'op-none' }, editListing)), 'INVALID_INPUT')
  await act(
    ada,
    id,
    { ends_at: new Date(Date.now() + 60_000).toISOString(), starting_price: 1000, bid_increment: 100 },
    editListing
  )
  t.match(await act(ada, id, {}, submitListing), { act: 'submit', status: 'scheduled' })
  t.equal(await refusal(act(ada, id, { amount: 1000 }, placeBid)), 'FORBIDDEN', 'the seller')
  t.equal(await refusal(act(bob, id, { amount: 999 }, placeBid)), 'CONFLICT')
  t.match(await act(bob, id, { amount: 1000 }, placeBid), { act: 'bid', status: 'live', amount: 1000 })
  t.equal((await readAuction(store, id))?.extensions, 1, 'it came in the last two minutes')
  t.equal(await refusal(act(cleo, id, { amount: 1099 }, placeBid)), 'CONFLICT')
  t.equal(await refusal(act(cleo, id, { amount: 5001 }, placeBid)), 'FORBIDDEN', 'over the limit of the tier')
  await act(cleo, id, { amount: 1100 }, placeBid)
  t.equal(await refusal(act(ada, id, { reason: 'x' }, cancelAuction)), 'CONFLICT', 'somebody has bid')
  t.equal(await refusal(act(keeper, id, {}, markPaid)), 'CONFLICT')
  await endNow(id)
  t.equal(await refusal(act(bob, id, { amount: 2000 }, placeBid)), 'CONFLICT', 'a late bid')
  await applyAllDue(store)
  t.match(await readAuction(store, id), { status: 'ended', winner: cleo.person, winning_price: 1100, bid_count: 2 })
  t.equal(await refusal(act(bob, id, { address: '1 High Street' }, giveAddress)), 'FORBIDDEN')
  await act(cleo, id, { address: '1 High Street' }, giveAddress)
  for (const [who, is] of [
    [cleo, 'the winner'],
    [ada, 'the seller'],
    [bob, 'nobody of the trade'],
    [{ ...ada, isAdmin: true }, 'an admin who sells it'],
    [{ ...cleo, isAdmin: true }, 'an admin who won it']
  ] as const)
    t.equal(await refusal(act(who, id, {}, markPaid)), 'FORBIDDEN', is)
  t.match(await act(keeper, id, {}, markPaid), { status: 'paid' })
  t.equal(await refusal(act(cleo, id, {}, markReceived)), 'CONFLICT')
  await act(ada, id, { carrier: 'Post' }, markShipped)
  t.equal(await refusal(act(ada, id, {}, markShipped)), 'CONFLICT')
  t.equal(await refusal(act(cleo, id, { stars: 5 }, writeReview)), 'CONFLICT', 'before it was received')
  await act(cleo, id, {}, markReceived)
  t.equal(await refusal(act(bob, id, { stars: 1 }, writeReview)), 'FORBIDDEN', 'no party')
  t.equal(await refusal(act(keeper, id, { stars: 1 }, writeReview)), 'FORBIDDEN', 'nor an admin')
  await act(cleo, id, { stars: 5, text: 'Fine.' }, writeReview)
  t.equal(await refusal(act(cleo, id, { stars: 1 }, writeReview)), 'CONFLICT')
  await act(ada, id, { stars: 4 }, writeReview)
  t.equal(await scoreNow(store, ada.person), 35 + 30 + 5)
  await act(cleo, id, { statement: 'It is another printing.' }, openDispute)
  t.equal(await scoreNow(store, ada.person), 70, 'nobody hurts a score alone')
  t.equal(await refusal(act(cleo, id, { outcome: 'for_buyer', reason: 'x' }, decideDispute)), 'FORBIDDEN')
  await act(keeper, id, { outcome: 'open', reason: 'We look.' }, decideDispute)
  t.equal(await scoreNow(store, ada.person), 60)
  await act(keeper, id, { outcome: 'for_buyer', reason: 'It is.' }, decideDispute)
  t.equal(await scoreNow(store, ada.person), 55)
  t.same(
    (await knex('auction_events').where({ auction: id }).orderBy('id').select<{ act: string }[]>('act')).map(
      one => one.act
    ),
    [
      'edit',
      'submit',
      'begin',
      'bid',
      'bid',
      'end',
      'address',
      'paid',
      'shipped',
      'received',
      'review',
      'review',
      'dispute',
      'decide',
      'decide'
    ]
  )
})

t.test(
  'a Dutch auction is bought at the price of the clock, a listing at its price, an English one at its buy-now price',
  async t => {
    const dutch = await live(ada, {
      auction_type: 'dutch',
      starting_price: 4000,
      dutch_end_price: 1000,
      dutch_price_drop: 500,
      dutch_drop_interval_seconds: 3600
    })
    await knex('auctions')
      .where({ id: dutch })
      .update({ starts_at: knex.raw("clock_timestamp() - interval '90 minutes'") })
    t.equal(await refusal(act(bob, dutch, { amount: 3499 }, placeBid)), 'CONFLICT')
    t.match(await act(bob, dutch, { amount: 4000 }, placeBid), { act: 'buy', status: 'ended', amount: 3500 })
    t.equal(await refusal(act(cleo, dutch, { amount: 4000 }, placeBid)), 'CONFLICT', 'sold once')
    const fixed = await live(ada, { auction_type: 'buy_now', starting_price: 700 })
    t.match(await act(cleo, fixed, { amount: 700 }, placeBid), { act: 'buy', amount: 700 })
    const both = await live(ada, { buy_now_price: 1200, bid_increment: 500 })
    await act(cleo, both, { amount: 1000 }, placeBid)
    t.match(await act(bob, both, { amount: 1500 }, placeBid), { act: 'buy', amount: 1200 })
  }
)

t.test('offers are taken by the seller, once, and only above what was bid', async t => {
  const id = await live(ada, { allow_best_offer: true })
  await act(bob, id, { amount: 500 }, makeOffer)
  await act(bob, id, { amount: 1500 }, makeOffer)
  await act(cleo, id, { amount: 1600 }, makeOffer)
  await act(cleo, id, { amount: 1500 }, placeBid)
  const offers = await knex('auction_bids')
    .where({ auction: id, state: 'open' })
    .orderBy('id')
    .select<{ id: number; amount: number }[]>('id', 'amount')
  t.same(
    offers.map(({ amount }) => amount),
    [1500, 1600],
    'a new offer takes the place of the one before'
  )
  t.equal(await refusal(act(ada, id, { offer: offers[0]?.id ?? 0 }, acceptOffer)), 'CONFLICT')
  t.equal(await refusal(act(bob, id, { offer: offers[1]?.id ?? 0 }, acceptOffer)), 'FORBIDDEN')
  t.match(await act(ada, id, { offer: offers[1]?.id ?? 0 }, acceptOffer), {
    act: 'accept',
    status: 'ended',
    amount: 1600
  })
  t.match(await readAuction(store, id), { winner: cleo.person, winning_price: 1600 })
})

t.test('a consignment begins when it is approved; without that it lapses, or is refused', async t => {
  const [taken, refused, late] = await Promise.all([1, 2, 3].map(async () => await live(ada, { is_consignment: true })))
  await applyAllDue(store)
  t.equal((await readAuction(store, taken ?? ''))?.status, 'scheduled')
  t.equal(await refusal(act(bob, taken ?? '', { amount: 1000 }, placeBid)), 'NOT_FOUND')
  t.equal(await refusal(act(ada, taken ?? '', { decision: 'approve' }, decideListing)), 'FORBIDDEN')
  await act(keeper, taken ?? '', { decision: 'approve' }, decideListing)
  await act(bob, taken ?? '', { amount: 1000 }, placeBid)
  t.match(await act(keeper, refused ?? '', { decision: 'refuse' }, decideListing), { status: 'cancelled' })
  await endNow(late ?? '')
  t.ok((await applyAllDue(store)) > 0)
  t.match(await readAuction(store, late ?? ''), { status: 'cancelled', cancelled_by: 'clock' })
})

t.test('the same key does something once; another body under it is refused; after a day it is forgotten', async t => {
  const id = await live(ada)
  const asker = { ...bob, route: 'bids', key: 'one' }
  const first = await perform(store, asker, id, { amount: 1000 }, placeBid)
  t.same(await perform(store, asker, id, { amount: 1000 }, placeBid), first)
  t.equal(await refusal(perform(store, asker, id, { amount: 2000 }, placeBid)), 'IDEMPOTENCY_KEY_REUSED')
  t.match(
    await perform(store, { ...cleo, route: 'bids', key: 'one' }, id, { amount: 1200 }, placeBid),
    { amount: 1200 },
    'keys of another person are others'
  )
  const many = await Promise.all(
    Array.from(
      { length: 8 },
      async () => await perform(store, { ...bob, route: 'bids', key: 'two' }, id, { amount: 1400 }, placeBid)
    )
  )
  t.equal(new Set(many.map(one => JSON.stringify(one))).size, 1)
  t.equal((await readAuction(store, id))?.bid_count, 3)
  await knex('idempotency_keys').update({ created_at: knex.raw("now() - interval '25 hours'") })
  t.equal(
    await refusal(perform(store, { ...bob, route: 'bids', key: 'two' }, id, { amount: 1400 }, placeBid)),
    'CONFLICT'
  )
})

t.test(
  'what somebody has begun elsewhere counts, also at once; who is suspended does not trade, and wins nothing',
  async t => {
    const [dora, eve] = [await member('dora'), await member('eve')]
    const ids = await Promise.all([1, 2, 3, 4].map(async () => await live(eve, { starting_price: 4000 })))
    const answers = await Promise.all(ids.map(async id => await refusal(act(dora, id, { amount: 4000 }, placeBid))))
    t.same(answers.sort(), [undefined, undefined, 'FORBIDDEN', 'FORBIDDEN'].sort())
    const [id = ''] = await Promise.all(
      ids.map(async one => ((await readAuction(store, one))?.bid_count === 1 ? one : ''))
    ).then(found => found.filter(one => one !== ''))
    await act(cleo, id, { amount: 4500 }, placeBid)
    await knex('people').where({ id: cleo.person }).update({ suspended_at: new Date() })
    t.equal(await refusal(act(cleo, id, { amount: 5000 }, placeBid)), 'FORBIDDEN')
    await endNow(id)
    await applyAllDue(store)
    t.match(await readAuction(store, id), { winner: dora.person, winning_price: 4000 })
    await knex('people').where({ id: eve.person }).update({ suspended_at: new Date() })
    t.equal(await refusal(act(bob, ids[3] ?? '', { amount: 4000 }, placeBid)), 'NOT_FOUND')
  }
)

t.test('a seeded market has an auction in every state', async t => {
  const [one, two] = [await member('sells'), await member('buys')]
  const seeded = await seedAuctions(store, one.person, two.person)
  t.same(await Promise.all(Object.values(seeded).map(async id => (await readAuction(store, id))?.status)), [
    'draft',
    'scheduled',
    'live',
    'live',
    'live',
    'ended',
    'paid',
    'cancelled'
  ])
})

t.test('an operator takes consignments, sets and resolves signals, and removes listings and reviews', async t => {
  const order = { reason: 'Seen twice.', outcome: 'open', severity: 'high', by: 'winner' } as const
  const held = await live(bob, { is_consignment: true })
  t.match(
    (await pendingAuctions(store)).filter(({ id }) => id === held),
    [{ waits: 'approval' }]
  )
  t.match(await carryOut(store, { ...order, action: 'approve', of: held }), { isDone: true })
  t.match(await carryOut(store, { ...order, action: 'approve', of: held }), { isDone: false, why: /live/ })
  t.match(await carryOut(store, { ...order, action: 'remove', of: held }), { isDone: true })
  const before = await scoreNow(store, ada.person)
  const signal = await carryOut(store, { ...order, action: 'signal', of: 'ada' })
  t.equal(await scoreNow(store, ada.person), before - 20)
  t.match(await carryOut(store, { ...order, action: 'resolve', of: 'id' in signal ? signal.id : '' }), { isDone: true })
  t.equal(await scoreNow(store, ada.person), before)
  const [review] = await knex('auction_reviews').where({ about: ada.person }).select<{ auction: string }[]>('auction')
  t.match(await carryOut(store, { ...order, action: 'remove-review', of: review?.auction ?? '' }), { isDone: true })
  t.equal(await scoreNow(store, ada.person), before - 30)
})
