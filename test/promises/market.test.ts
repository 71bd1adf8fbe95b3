import t from 'tap'
import { noticeVersion } from '../../surfaces/people/receipts.ts'
import { followNext } from '../support/follow-next.ts'
import { hiddenIn, marketService, type Ask } from '../support/market-service.ts'

const { knex, people, receipts, get, nobody, memberOf, sendForm, listing, endNow } = await marketService(t)
const [seller, buyer, other, keeper] = [
  await memberOf('canary-seller'),
  await memberOf('canary-buyer'),
  await memberOf('canary-other'),
  await memberOf('canary-keeper', true)
]
const live = async (more: object = {}): Promise<string> => {
  const {
    body: { auction_id: id }
  } = await seller.ask('/api/auctions', { ...listing(), ...more })
  await seller.ask(`/api/auctions/${id}/submit`, {})
  return id
}
const paths = (id: string): string[] => [
  '/api/auctions',
  `/api/auctions/${id}`,
  `/api/auctions/${id}/bids`,
  `/api/v1/auctions/${id}`,
  `/api/v1/universal/auctions/${id}`,
  '/auctions',
  `/auctions/${id}`,
  `/auctions/${id}/read`,
  '/api/v1/cards/op-op01-001-en/evidence',
  '/cards/op-op01-001-en/market',
  '/product/op-op01-001-en'
]

t.test('a trade over HTTP; no public answer names anybody before they agree', async t => {
  t.equal((await nobody('/api/auctions', listing())).status, 401)
  t.match((await seller.ask('/api/auctions', { ...listing(), sku: 'op-no-such-en' })).body, {
    error: { code: 'INVALID_INPUT', details: { field: 'sku' } }
  })
  const made = await seller.ask('/api/auctions', listing())
  t.match(made, { status: 200, body: { act: 'create', status: 'draft' } })
  const id = made.body.auction_id
  t.match(await seller.ask(`/api/auctions/${id}`, { allow_best_offer: true }, { method: 'PATCH' }), {
    status: 200,
    body: { act: 'edit' }
  })
  t.match((await seller.ask(`/api/auctions/${id}`)).body, {
    viewer_role: 'seller',
    allow_best_offer: true,
    acts: ['edit', 'submit', 'cancel']
  })
  t.equal((await seller.ask(`/api/auctions/${id}/submit`, {})).status, 200)
  t.match(await buyer.ask(`/api/auctions/${id}/bids`, { amount: 10 }), {
    status: 409,
    body: { error: { code: 'CONFLICT', details: { min_next_bid: 1000 } } }
  })
  const first = await buyer.ask(`/api/auctions/${id}/bids`, { amount: 1000 }, { key: 'k1' })
  t.match(first, { status: 200, body: { act: 'bid', amount: 1000 } })
  t.equal(
    (await buyer.ask(`/api/auctions/${id}/bids`, { amount: 1000 }, { key: 'k1' })).text,
    first.text,
    'a retry is harmless'
  )
  t.match(await buyer.ask(`/api/auctions/${id}/bids`, { amount: 1300 }, { key: 'k1' }), {
    status: 422,
    body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } }
  })
  await other.ask(`/api/auctions/${id}/offers`, { amount: 1400 })
  t.match((await other.ask(`/api/auctions/${id}/bids`)).body, {
    viewer_role: 'public',
    bids: [{ number: 1, is_own: false }],
    offers: undefined
  })
  t.match((await seller.ask(`/api/auctions/${id}/bids`)).body, {
    viewer_role: 'seller',
    offers: [{ amount: { pence: 1400 }, bidder: undefined }]
  })
  t.match((await keeper.ask(`/api/auctions/${id}/bids`)).body, {
    viewer_role: 'admin',
    records: [{ bidder: 'canary-buyer' }, { bidder: 'canary-other' }]
  })
  await endNow(id)
  t.match((await buyer.ask(`/api/auctions/${id}`)).body, {
    viewer_role: 'winner',
    status: 'ended',
    sold_by: { username: 'canary-seller' },
    shipping_address: undefined
  })
  t.equal((await buyer.ask(`/api/auctions/${id}/address`, { address: 'canary-street 1' })).status, 200)
  t.match((await seller.ask(`/api/auctions/${id}`)).body, {
    buyer: { username: 'canary-buyer' },
    shipping_address: 'canary-street 1'
  })
  for (const [who, act] of [
    [keeper, 'paid'],
    [seller, 'shipped'],
    [buyer, 'received']
  ] as const)
    t.equal((await who.ask(`/api/auctions/${id}/${act}`, {})).status, 200, act)
  t.equal((await buyer.ask(`/api/auctions/${id}/review`, { stars: 5, text: 'Fine.' })).status, 200)
  t.match(await other.ask(`/api/auctions/${id}/review`, { stars: 1 }), { status: 403 })
  t.match(await other.ask(`/api/auctions/${id}/paid`, {}), { status: 403 })
  const another = await live()
  await buyer.ask(`/api/auctions/${another}/bids`, { amount: 1000 })
  for (const one of [id, another]) {
    for (const path of paths(one)) {
      for (const ask of [nobody, other.ask]) {
        const answer = await ask(path)
        t.equal(answer.status, 200, path)
        t.notMatch(answer.text.replaceAll('canary-other', ''), /canary/, path)
      }
    }
    t.match((await nobody(`/api/auctions/${one}`)).headers.get('cache-control'), /private, no-store/)
  }
})

t.test(
  'a draft, what waits for approval, what is of somebody suspended, and what there is not are one answer',
  async t => {
    const draft = (await seller.ask('/api/auctions', listing())).body.auction_id
    const waits = await live({ is_consignment: true })
    const doomed = await memberOf('doomed')
    const theirs = (await doomed.ask('/api/auctions', listing())).body.auction_id
    await doomed.ask(`/api/auctions/${theirs}/submit`, {})
    t.equal((await nobody(`/api/auctions/${theirs}`)).status, 200)
    const offered = async (id: string): Promise<boolean> =>
      (await nobody('/api/v1/cards/op-op01-001-en/evidence')).text.includes(id)
    t.equal(await offered(theirs), true, 'a live offer of the card')
    t.match((await nobody('/api/v1/cards/op-op01-001-en/evidence')).body.data, {
      reference: { amount_gbp: null },
      market: { best_ask_gbp: null, offers: [{ amount: { stated_by: 'participant' } }] }
    })
    await people.setSuspended(doomed.id, true)
    t.equal(await offered(theirs), false)
    t.equal(await offered(waits), false)
    const removed = await live()
    t.equal((await keeper.ask(`/api/auctions/${removed}/cancel`, { reason: 'Forged.', remove: true })).status, 200)
    const unknown = '00000000-0000-4000-8000-000000000000'
    const steady = (text: string, id: string): string =>
      text.replaceAll(id, 'ID').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"req_[\w-]+"|req_[\w-]+|"wake_fragment".*/g, '')
    for (const form of [
      '/api/auctions/ID',
      '/api/auctions/ID/bids',
      '/api/v1/auctions/ID',
      '/api/v1/universal/auctions/ID',
      '/auctions/ID',
      '/auctions/ID/read'
    ]) {
      const expected = await other.ask(form.replace('ID', unknown))
      for (const id of [draft, waits, theirs, removed, 'not-an-auction']) {
        const found = await other.ask(form.replace('ID', id))
        t.same([found.status, steady(found.text, id)], [404, steady(expected.text, unknown)], `${form} ${id}`)
      }
    }
    t.equal((await other.ask(`/api/auctions/${draft}/bids`, { amount: 1000 })).status, 404)
    const listed = async (ask: Ask, query: string): Promise<string> =>
      (await ask(`/api/auctions?limit=100${query}`)).text
    for (const query of ['', '&status=draft', '&status=nonsense', '&include=unpublished'])
      for (const id of [draft, waits, theirs, removed]) t.notMatch(await listed(other.ask, query), id, query)
    t.match(await listed(seller.ask, '&mine=yes'), draft)
    t.match(await listed(keeper.ask, '&include=unpublished'), draft)
    t.match((await keeper.ask(`/api/auctions/${waits}`)).body, { viewer_role: 'admin', approval_status: 'pending' })
    t.equal((await seller.ask(`/api/auctions/${waits}/approve`, { decision: 'approve' })).status, 403)
    t.equal((await keeper.ask(`/api/auctions/${waits}/approve`, { decision: 'approve' })).status, 200)
    t.equal((await nobody(`/api/auctions/${waits}`)).status, 200)
  }
)

t.test("trust is public while its person agrees, and the same as nobody's otherwise", async t => {
  const of = [
    '/api/v1/users/canary-seller/trust',
    '/api/v1/universal/users/canary-seller/trust',
    '/u/canary-seller/trust'
  ]
  const steady = (text: string): string =>
    text
      .replaceAll('canary-seller', 'NAME')
      .replaceAll('nobody-here', 'NAME')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"req_[\w-]+"|req_[\w-]+|"wake_fragment".*/g, '')
  for (const path of of) {
    const [hidden, none] = [await nobody(path), await nobody(path.replace('canary-seller', 'nobody-here'))]
    t.same([hidden.status, steady(hidden.text)], [404, steady(none.text)], path)
  }
  await receipts.give(seller.id, 'profile', noticeVersion)
  for (const path of of) {
    const answer = await nobody(path)
    t.equal(answer.status, 200, path)
    t.match(answer.headers.get('cache-control'), /private, no-store/, path)
    t.notMatch(answer.text, /canary-buyer/)
  }
  t.match((await nobody('/api/v1/users/Canary-Seller/trust')).body.data, {
    trust_score: 65 + 5,
    tier: { name: 'Trusted' },
    completed_trades: 1,
    reviews: { total: 1, five_star: 1 }
  })
  t.match((await nobody(`/api/auctions/${await live()}`)).body, {
    seller: { username: 'canary-seller', trust: '/u/canary-seller/trust' }
  })
  await receipts.withdraw(seller.id, 'profile')
  t.equal((await nobody('/api/v1/users/canary-seller/trust')).status, 404)
  await receipts.give(seller.id, 'profile', noticeVersion)
  await people.setSuspended(seller.id, true)
  t.equal((await nobody('/u/canary-seller/trust')).status, 404)
})

t.test(
  'nobody leaves while bids or trades are open; drafts go with them, and a finished trade stays without their name',
  async t => {
    const [leaver, stays] = [await memberOf('canary-leaver'), await memberOf('canary-stays')]
    const draft = (await leaver.ask('/api/auctions', listing())).body.auction_id
    const {
      body: { auction_id: sold }
    } = await stays.ask('/api/auctions', { ...listing(), auction_type: 'buy_now' })
    await stays.ask(`/api/auctions/${sold}/submit`, {})
    t.match(await leaver.ask(`/api/auctions/${sold}/bids`, { amount: 1000 }), { status: 200, body: { act: 'buy' } })
    t.match(await leaver.ask('/api/v1/account/leave', { username: leaver.name }), {
      status: 409,
      body: { error: { details: { auctions: [{ id: sold, status: 'ended' }] } } }
    })
    await leaver.ask(`/api/auctions/${sold}/address`, { address: 'canary-street 2' })
    for (const [who, act] of [
      [keeper, 'paid'],
      [stays, 'shipped'],
      [leaver, 'received']
    ] as const)
      await who.ask(`/api/auctions/${sold}/${act}`, {})
    t.equal((await leaver.ask('/api/v1/account/leave', { username: leaver.name })).status, 200)
    t.same(await knex('auctions').where({ id: draft }), [])
    t.match(await stays.ask(`/api/auctions/${sold}`), {
      status: 200,
      body: { status: 'paid', buyer: null, shipping_address: null }
    })
  }
)

t.test('a form bids without a script, says first what will happen, and does it once', async t => {
  const [sells, bids] = [await memberOf('form-seller'), await memberOf('form-bidder')]
  const {
    body: { auction_id: id }
  } = await sells.ask('/api/auctions', listing())
  await sells.ask(`/api/auctions/${id}/submit`, {})
  const page = (await bids.ask(`/auctions/${id}`)).text
  t.match(page, /It ends in 59 minutes/)
  t.match(page, /A bid counts from £10\.00 on/)
  t.notMatch((await nobody(`/auctions/${id}`)).text, /<form[^>]*bids/)
  const [token, key] = ['token', 'idempotency_key'].map(name => hiddenIn(page, name, '/bids'))
  const send = async (amount: string): Promise<Response> =>
    await sendForm(bids.cookie, `/auctions/${id}/bids`, { token: token ?? '', idempotency_key: key ?? '', amount })
  t.match(await (await send('ten')).text(), /Write an amount in pounds/)
  t.match(await (await send('9.99')).text(), /The least that counts now is £10\.00/)
  for (const amount of ['10.50', '10.50'])
    t.equal((await send(amount)).headers.get('location'), `/auctions/${id}?done=bids`)
  t.match((await nobody(`/api/auctions/${id}`)).body, { bid_count: 1, current_price: { pence: 1050 } })
})

t.test('the list of auctions leads through all of its pages by Link', async t => {
  const sells = await memberOf('pages-seller')
  for (let count = 0; count < 5; count += 1) {
    const { body } = await sells.ask('/api/auctions', listing())
    await sells.ask(`/api/auctions/${body['auction_id']}/submit`, {})
  }
  const pages = (await followNext(get, '/api/auctions?status=live&limit=2')) as {
    auctions: { id: string }[]
    total: number
  }[]
  const ids = pages.flatMap(({ auctions }) => auctions.map(({ id }) => id))
  t.ok(pages.length > 2, `${pages.length} pages`)
  t.equal(new Set(ids).size, ids.length, 'none is shown twice')
  t.equal(ids.length, pages[0]?.total)
})
