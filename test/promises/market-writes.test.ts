import t from 'tap'
import { hiddenIn, marketService } from '../support/market-service.ts'

const { knex, registry, memberOf, sendForm, listing, endNow } = await marketService(t)
const [seller, buyer, keeper] = [
  await memberOf('writes-seller'),
  await memberOf('writes-buyer'),
  await memberOf('writes-keeper', true)
]

t.test(
  'each write of the market does once what is sent twice under one key, refuses another body under it, and answers a retry without anybody in it',
  async t => {
    const done = new Set<string>()
    let keys = 0
    /**
     * Sends a write three times under one key: twice the same, then with another body, or where a body says nothing,
     * for another auction.
     */
    const thrice = async (
      who: typeof seller,
      template: string,
      id: string,
      body: object,
      other: object | string,
      method = 'POST'
    ) => {
      const [path, key] = [template.replace('{id}', id), `key-${(keys += 1)}`]
      const before = await knex('auction_events').count()
      const first = await who.ask(path, body, { key, method })
      t.equal(first.status, 200, `${method} ${template} ${first.text}`)
      const after = await knex('auction_events').count()
      const again = await who.ask(path, body, { key, method })
      t.same([again.status, again.text], [first.status, first.text], `${template} again`)
      const otherwise =
        typeof other === 'string'
          ? await who.ask(template.replace('{id}', other), body, { key, method })
          : await who.ask(path, other, { key, method })
      t.match(
        otherwise,
        { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED', details: { field: 'Idempotency-Key' } } } },
        `${template} otherwise`
      )
      t.same(await knex('auction_events').count(), after, `${template} was done once`)
      if (template.includes('{id}')) t.notSame(before, after)
      t.notMatch(first.text, /writes-|"person"|"bidder"|"winner"/, template)
      t.notMatch(JSON.stringify(await knex('idempotency_keys').select('body').where({ key })), /writes-/)
      done.add(`${method} ${template}`)
      return first.body.auction_id
    }
    const at = '/api/auctions/{id}'
    const waits = (await seller.ask('/api/auctions', { ...listing(), is_consignment: true })).body.auction_id
    await seller.ask(`/api/auctions/${waits}/submit`, {})
    const id = await thrice(
      seller,
      '/api/auctions',
      '',
      { ...listing(), allow_best_offer: true },
      { ...listing(), starting_price: 1 }
    )
    await thrice(seller, at, id, { title: 'Zoro again' }, { title: 'Another' }, 'PATCH')
    await thrice(seller, at, id, { title: 'Zoro by a form' }, { title: 'Another' })
    await thrice(seller, `${at}/submit`, id, {}, waits)
    await thrice(buyer, `${at}/bids`, id, { amount: 1000 }, { amount: 2000 })
    await thrice(buyer, `${at}/offers`, id, { amount: 1500 }, { amount: 1600 })
    const [offer] = await knex('auction_bids').where({ auction: id, kind: 'offer' }).select<{ id: number }[]>('id')
    await thrice(seller, `${at}/accept`, id, { offer: Number(offer?.id) }, { offer: 1 })
    await thrice(buyer, `${at}/address`, id, { address: 'writes-street 1' }, { address: 'writes-street 2' })
    await thrice(keeper, `${at}/paid`, id, {}, waits)
    await thrice(seller, `${at}/shipped`, id, { carrier: 'Post' }, { carrier: 'Rider' })
    await thrice(buyer, `${at}/received`, id, {}, waits)
    await thrice(buyer, `${at}/review`, id, { stars: 5 }, { stars: 1 })
    await thrice(
      buyer,
      `${at}/dispute`,
      id,
      { statement: 'It is another printing.' },
      { statement: 'It never arrived at all.' }
    )
    await thrice(
      keeper,
      `${at}/dispute/decide`,
      id,
      { outcome: 'open', reason: 'We look.' },
      { outcome: 'split', reason: 'We look.' }
    )
    await thrice(keeper, `${at}/approve`, waits, { decision: 'approve' }, { decision: 'refuse' })
    await thrice(seller, `${at}/cancel`, waits, { reason: 'It was lost.' }, { reason: 'It was found.' })
    const writes = registry.surfaces
      .filter(({ route: { path }, page }) => page === undefined && path.startsWith('/api/auctions'))
      .flatMap(({ route: { path, methods } }) =>
        methods.filter(method => method !== 'GET').map(method => `${method} ${path}`)
      )
    t.same([...done].sort(), writes.sort(), 'each write of the registry')
  }
)

t.test('each form of the market that is shown carries a key, and each that is taken knows it', async t => {
  const taken = registry.forms.filter(({ page }) => page?.sends?.text.startsWith('/api/auctions') === true)
  t.ok(taken.length >= 14)
  for (const { id, input } of taken) t.match(input.body, { schema: { properties: { idempotency_key: {} } } }, id)
  const draft = (await seller.ask('/api/auctions', listing())).body.auction_id
  const {
    body: { auction_id: live }
  } = await seller.ask('/api/auctions', { ...listing(), allow_best_offer: true })
  await seller.ask(`/api/auctions/${live}/submit`, {})
  const forms: string[] = []
  for (const [who, path] of [
    [seller, '/account/auctions'],
    [seller, `/auctions/${draft}`],
    [seller, `/auctions/${live}`],
    [buyer, `/auctions/${live}`],
    [keeper, `/auctions/${live}`]
  ] as const) {
    for (const [form] of (await who.ask(path)).text.matchAll(/<form method="post"[\s\S]*?<\/form>/g)) {
      const action = /action="([^"]*)"/.exec(form)?.[1]?.replace(/[0-9a-f-]{36}/, 'ID') ?? ''
      // A report is no act of the market, and a second one of the same thing is refused.
      if (action === '/account/reports') continue
      forms.push(action)
      t.match(form, /<input type="hidden" name="idempotency_key" value="[\x21-\x7e]{10,200}"/, path)
    }
  }
  t.same([...new Set(forms)].sort(), [
    '/account/auctions',
    ...['bids', 'cancel', 'edit', 'offers', 'submit'].map(act => `/auctions/ID/${act}`)
  ])
})

t.test(
  'a draft is written and changed by forms, in pounds; what is wrong stands beside its field, with what was written',
  async t => {
    const desk = (await seller.ask('/account/auctions')).text
    const [token, key] = [hiddenIn(desk, 'token'), hiddenIn(desk, 'idempotency_key')]
    const fields = {
      token,
      idempotency_key: key,
      sku: 'op-op01-001-en',
      title: 'Zoro <1>',
      condition: 'LP',
      auction_type: 'english',
      starting_price: '12.50',
      reserve_price: '',
      license: 'CC0-1.0',
      ends_at: '2099-01-31T18:00'
    }
    const send = async (path: string, more: object): Promise<Response> =>
      await sendForm(seller.cookie, path, { ...fields, ...more })
    const beside = async (path: string, field: string, value: string, message: RegExp): Promise<void> => {
      const answer = await send(path, { [field]: value })
      const text = await answer.text()
      t.equal(answer.status, 400, `${path} ${field} ${value}`)
      t.match(
        text,
        new RegExp(`name="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}-mistake"`),
        `${path} ${field}`
      )
      t.match(
        new RegExp(`id="${field}-mistake"[^>]*>([\\s\\S]*?)</span>`).exec(text)?.[1] ?? '',
        message,
        `${path} ${field}`
      )
      t.match(text, /value="Zoro &lt;1>"|value="Zoro &lt;1&gt;"/)
      if (field !== 'starting_price') t.match(text, /name="starting_price"[^>]*value="12\.50"/)
    }
    const wrong = async (path: string): Promise<void> => {
      for (const amount of ['ten', '-5', '1e3', '10.999', '9'.repeat(12), '1,000.00'])
        await beside(path, 'starting_price', amount, /Write an amount in pounds/)
      for (const amount of ['0', '1000000.01', '9999999'])
        await beside(path, 'starting_price', amount, /from £0\.01 to £1,000,000\.00/)
      await beside(path, 'reserve_price', '12', /at least the starting price/)
      await beside(path, 'dutch_end_price', '1', /of another type/)
      await beside(path, 'dutch_drop_interval_seconds', '1.5', /whole number of seconds/)
      await beside(path, 'sku', 'op-no-such-en', /no card/)
      await beside(path, 'ends_at', 'tomorrow', /date-time|moment|time/i)
    }
    await wrong('/account/auctions')
    const made = await send('/account/auctions', {})
    t.equal(made.status, 303)
    t.equal(
      (await send('/account/auctions', {})).headers.get('location'),
      made.headers.get('location'),
      'sent twice, drafted once'
    )
    const [at = ''] = (made.headers.get('location') ?? '').split('?')
    const own = async (): Promise<Record<string, unknown>> => (await seller.ask(`/api${at}`)).body
    t.match(await own(), {
      starting_price: { pence: 1250 },
      bid_increment: { pence: 100 },
      license: 'CC0-1.0',
      condition: 'LP',
      allow_best_offer: false
    })
    const page = (await seller.ask(at)).text
    t.match(page, /name="starting_price"[^>]*value="12\.50"/)
    t.match(page, /name="ends_at" value="2099-01-31T18:00:00"/)
    fields.idempotency_key = hiddenIn(page, 'idempotency_key', '/edit')
    await wrong(`${at}/edit`)
    t.equal(
      (
        await send(`${at}/edit`, {
          starting_price: '£ 20',
          reserve_price: '30.5',
          bid_increment: '',
          allow_best_offer: 'true'
        })
      ).status,
      303
    )
    t.match(await own(), {
      starting_price: { pence: 2000 },
      reserve_price: { pence: 3050 },
      bid_increment: { pence: 100 },
      allow_best_offer: true
    })
    fields.idempotency_key = 'another'
    t.equal((await send(`${at}/edit`, { auction_type: 'buy_now', starting_price: '20' })).status, 303)
    t.match(await own(), {
      auction_type: 'buy_now',
      reserve_price: null,
      bid_increment: null,
      buy_now_price: { pence: 2000 },
      allow_best_offer: false
    })
    t.equal(
      (
        await sendForm(buyer.cookie, `${at}/edit`, {
          ...fields,
          token: hiddenIn((await buyer.ask('/account/auctions')).text, 'token')
        })
      ).status,
      404,
      'nobody else'
    )
  }
)

t.test(
  'an address, a dispute and a cancellation that are refused show their form again, with what was written and what is wrong beside it',
  async t => {
    const [sells, buys] = [await memberOf('refused-seller'), await memberOf('refused-buyer')]
    const {
      body: { auction_id: id }
    } = await sells.ask('/api/auctions', listing())
    const refused = async (
      who: typeof sells,
      act: string,
      field: string,
      value: string,
      status: number
    ): Promise<string> => {
      const token = hiddenIn((await who.ask('/account/auctions')).text, 'token')
      const answer = await sendForm(who.cookie, `/auctions/${id}/${act}`, {
        token,
        idempotency_key: `${act} ${value}`.replaceAll(' ', '_').slice(0, 200),
        ...(act === 'cancel' ? { confirmed: 'yes' } : {}),
        [field]: value
      })
      t.equal(answer.status, status, `${act} ${value.slice(0, 20)}`)
      return await answer.text()
    }
    const again = async (
      who: typeof sells,
      act: string,
      field: string,
      value: string,
      message: RegExp
    ): Promise<void> => {
      const text = await refused(who, act, field, value, 400)
      t.match(
        text,
        new RegExp(
          `<textarea id="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}-mistake"[^>]*>\\n${value}</textarea>`
        ),
        act
      )
      t.match(new RegExp(`id="${field}-mistake"[^>]*>([\\s\\S]*?)</span>`).exec(text)?.[1] ?? '', message, act)
      t.match(text, new RegExp(`action="/auctions/${id}/${act}"[\\s\\S]*name="idempotency_key" value="${id}`), act)
    }
    await sells.ask(`/api/auctions/${id}/submit`, {})
    await again(sells, 'cancel', 'reason', 'n'.repeat(1001), /1000/)
    await buys.ask(`/api/auctions/${id}/bids`, { amount: 1300 })
    const bid = await refused(sells, 'cancel', 'reason', 'It was lost.', 409)
    t.notMatch(bid, '<textarea id="reason"', 'somebody has bid')
    t.match(bid, /role="alert"[^]*name="reason" value="It was lost\."/, 'the question is there again, with the reason')
    await endNow(id)
    const early = await refused(sells, 'cancel', 'reason', 'They do not pay.', 409)
    t.match(early, /role="alert"[^]*7 days to pay[^]*name="confirmed"[^]*name="reason" value="They do not pay\."/)
    await keeper.ask(`/api/auctions/${id}/paid`, {})
    await again(buys, 'address', 'address', 'Here', /5/)
    await again(buys, 'dispute', 'statement', 'Torn', /10/)
    t.equal((await buys.ask(`/api/auctions/${id}/dispute`, { statement: 'It is another printing.' })).status, 200)
    t.notMatch(
      await refused(buys, 'dispute', 'statement', 'It is another printing.', 409),
      'id="statement"',
      'there is one'
    )
  }
)

t.test('the export of an account holds all that the market keeps of it, and nothing of the other side', async t => {
  const [sells, buys] = [await memberOf('canary-sells'), await memberOf('canary-buys')]
  const {
    body: { auction_id: id }
  } = await sells.ask(
    '/api/auctions',
    { ...listing(), reserve_price: 1001, allow_best_offer: true },
    { key: 'canary-key' }
  )
  await sells.ask(`/api/auctions/${id}/submit`, {})
  await buys.ask(`/api/auctions/${id}/offers`, { amount: 1234 })
  await buys.ask(`/api/auctions/${id}/bids`, { amount: 1300 })
  await endNow(id)
  await buys.ask(`/api/auctions/${id}/address`, { address: 'canary-street 7' })
  for (const [who, act] of [
    [keeper, 'paid'],
    [sells, 'shipped'],
    [buys, 'received']
  ] as const)
    t.equal((await who.ask(`/api/auctions/${id}/${act}`, {})).status, 200)
  await buys.ask(`/api/auctions/${id}/review`, { stars: 4, text: 'canary-praise' })
  await buys.ask(`/api/auctions/${id}/dispute`, { statement: 'canary-complaint' })
  await knex('fraud_signals').insert({ person: sells.id, severity: 'low', reason: 'canary-signal' })
  const [ofSeller, ofBuyer] = [await sells.ask('/api/v1/account/export'), await buys.ask('/api/v1/account/export')]
  t.match(ofSeller.body.data['tables'], {
    auctions: [{ id, seller: true, winner: false, reserve_price: 1001 }],
    auction_bids: [],
    auction_addresses: [],
    auction_reviews: [{ about: true, author: false, stars: 4, text: 'canary-praise' }],
    fraud_signals: [{ reason: 'canary-signal' }],
    idempotency_keys: [{ route: 'create', key: 'canary-key' }]
  })
  t.match(ofBuyer.body.data['tables'], {
    auctions: [{ id, seller: false, winner: true, winning_price: 1300, dispute_statement: 'canary-complaint' }],
    auction_addresses: [{ address: 'canary-street 7' }],
    auction_reviews: [{ about: false, author: true, text: 'canary-praise' }]
  })
  const { auction_bids: bids } = ofBuyer.body.data['tables'] as { auction_bids: { kind: string; amount: number }[] }
  t.same(bids.map(({ kind, amount }) => `${kind} ${amount}`).sort(), ['bid 1300', 'offer 1234'])
  for (const [answer, theirs] of [
    [ofSeller, ['canary-buys', buys.id, 'canary-street']],
    [ofBuyer, ['canary-sells', sells.id, 'canary-signal', /:1001[,}]/]]
  ] as const)
    for (const one of theirs) t.notMatch(answer.text, one)
})
