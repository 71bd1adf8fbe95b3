import t from 'tap'
import { maxReportsPerDay } from '../../surfaces/market/reports.ts'
import { seedAuctions } from '../../surfaces/market/seed.ts'
import { openAccounts } from '../../surfaces/people/open.ts'
import { noticeVersion } from '../../surfaces/people/receipts.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { waysOf } from '../support/read-forms.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const own = 'http://127.0.0.1:8080'
const {
  services: { people, signIn, receipts, keys }
} = openAccounts(database, own)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
const { knex } = database

type Data = Record<string, unknown>
const person = async (name: string, admin = false): Promise<{ id: string; cookie: string }> => {
  const { id } = await people.add(name, admin ? ['admin'] : [])
  return { id, cookie: `pantry_session=${(await signIn.withCode(name, await signIn.issueCode(id)))?.secret ?? ''}` }
}
const post = async (
  path: string,
  body: unknown,
  cookie = ''
): Promise<{ status: number; data: Data; text: string }> => {
  const response = await get(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: own,
      'Sec-Fetch-Site': 'same-origin',
      ...(cookie === '' ? {} : { Cookie: cookie })
    },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  return { status: response.status, text, data: (JSON.parse(text) as { data: Data | null }).data ?? {} }
}
const textOf = async (path: string, cookie = ''): Promise<string> =>
  await (await get(path, { headers: cookie === '' ? {} : { Cookie: cookie } })).text()
const dataOf = async <Shape>(path: string, cookie = ''): Promise<Shape> =>
  (JSON.parse(await textOf(path, cookie)) as { data: Shape }).data
const statusOf = async (path: string, cookie = ''): Promise<number> =>
  (await get(path, { headers: cookie === '' ? {} : { Cookie: cookie } })).status

const [seller, buyer, reporter, other, admin] = [
  await person('rep-seller'),
  await person('rep-buyer'),
  await person('canary-reporter'),
  await person('canary-other'),
  await person('rep-admin', true)
]
const auctions = await seedAuctions(database, seller.id, buyer.id)
await receipts.give(seller.id, 'profile', noticeVersion)
const report = (kind: string, of: string, more: Data = {}) => ({
  kind,
  of,
  ground: 'fraud',
  text: 'canary-words of whoever reports',
  ...more
})
type Desk = { reports: { id: string; kind: string; reporter: string; of: string; page: string; shown: string }[] }
const waiting = async (): Promise<Desk['reports']> =>
  (await dataOf<Desk>('/api/v1/account/operator/desk', admin.cookie)).reports
const decide = async (id: string | undefined, decision: string, cookie = admin.cookie) =>
  await post(`/api/v1/account/operator/reports/${id ?? ''}/decide`, { decision, reason: 'It deceives.' }, cookie)
type Overview = { organisations: { slug: string; version: string }[] }
const approve = async (slug: string, cookie: string) => {
  const { organisations } = await dataOf<Overview>('/api/v1/account/operator', cookie)
  return await post(
    `/api/v1/account/operator/organisations/${slug}/approve`,
    { version: organisations.find(one => one.slug === slug)?.version },
    cookie
  )
}

t.test('a listing is reported once by each, and an admin takes it out of sight everywhere at once', async t => {
  const id = auctions.live_english
  t.equal(
    (await post('/api/v1/account/reports', report('listing', id))).status,
    401,
    'nobody reports without an account'
  )
  t.equal((await post('/api/v1/account/reports', report('listing', id), reporter.cookie)).status, 200)
  t.equal(
    (await post('/api/v1/account/reports', report('listing', id), reporter.cookie)).status,
    409,
    'a second one while the first waits'
  )
  t.equal((await post('/api/v1/account/reports', report('listing', id), seller.cookie)).status, 409, "one of one's own")
  t.equal((await post('/api/v1/account/reports', report('listing', id), other.cookie)).status, 200)
  for (const of of [auctions.draft, '00000000-0000-4000-8000-000000000000', 'no-id'])
    t.equal((await post('/api/v1/account/reports', report('listing', of), reporter.cookie)).status, 404, of)
  t.match(await waiting(), [
    { kind: 'listing', reporter: 'canary-reporter', of: id, page: `/auctions/${id}` },
    { reporter: 'canary-other' }
  ])
  t.equal((await decide((await waiting())[0]?.id, 'remove', reporter.cookie)).status, 403)
  t.match(await textOf(`/cards/op-op01-001-en/market`), id, 'it is offered')
  t.equal((await decide((await waiting())[0]?.id, 'remove')).status, 200)
  t.same(await waiting(), [], 'all reports about it are decided')
  for (const path of [`/auctions/${id}`, `/api/auctions/${id}`, `/api/v1/auctions/${id}`, `/auctions/${id}/read`])
    t.equal(await statusOf(path), 404, path)
  for (const path of [
    '/auctions',
    '/api/auctions?limit=100',
    '/cards/op-op01-001-en/market',
    '/product/op-op01-001-en',
    '/api/v1/cards/op-op01-001-en/evidence'
  ])
    t.notMatch(await textOf(path), id, path)
  for (const path of [
    `/auctions/${id}`,
    `/api/auctions/${id}`,
    '/api/v1/account/export',
    '/api/v1/account',
    '/account'
  ])
    t.notMatch(await textOf(path, seller.cookie), /canary-/, `who reported is not told: ${path}`)
  t.match(
    await dataOf('/api/v1/account/export', reporter.cookie),
    {
      tables: { content_reports: [{ kind: 'listing', text: 'canary-words of whoever reports', decision: 'removed' }] }
    },
    'who reported has what they said'
  )
  t.match(
    await dataOf('/api/v1/account', reporter.cookie),
    { reports: [{ kind: 'listing', text: 'canary-words of whoever reports', decision: 'removed' }] },
    'who reported has what they said'
  )
  t.match(
    await textOf('/account', reporter.cookie),
    /a listing: canary-words of whoever reports.*It was removed/s,
    'and is told on a page what came of it'
  )
  t.match(await knex('account_acts').where({ act: 'reports.remove' }), [
    { actor: admin.id, details: { reason: 'It deceives.' } }
  ])
})

t.test('also a listing that is over goes out of sight, and its trade stays between its parties', async t => {
  const id = auctions.paid
  await post('/api/v1/account/reports', report('listing', id), reporter.cookie)
  t.equal((await decide((await waiting())[0]?.id, 'remove')).status, 200)
  t.equal(await statusOf(`/api/auctions/${id}`), 404)
  t.match(JSON.parse(await textOf(`/api/auctions/${id}`, buyer.cookie)), { status: 'paid' })
})

t.test('what an admin keeps may be reported again; nobody sends more than ten in a day', async t => {
  const id = auctions.buy_now
  await post('/api/v1/account/reports', report('listing', id), other.cookie)
  t.equal((await decide((await waiting())[0]?.id, 'keep')).status, 200)
  t.equal(await statusOf(`/api/auctions/${id}`), 200)
  t.match(
    (
      await dataOf<{ tables: { content_reports: Data[] } }>('/api/v1/account/export', other.cookie)
    ).tables.content_reports
      .map(({ decision }) => decision)
      .sort(),
    ['kept', 'removed']
  )
  await knex('content_reports').insert(
    Array.from({ length: maxReportsPerDay - 2 }, () => ({
      reporter: other.id,
      kind: 'listing',
      ground: 'other',
      text: 'an earlier report',
      decision: 'kept',
      reason: 'x',
      decided_at: knex.fn.now()
    }))
  )
  t.match(await post('/api/v1/account/reports', report('listing', id), other.cookie), { status: 429, text: /tomorrow/ })
  for (const [more, field] of [
    [{ ground: 'boring' }, 'ground'],
    [{ text: 'short' }, 'text'],
    [{ text: 'x'.repeat(1001) }, 'text'],
    [{ kind: 'person' }, 'kind'],
    [{ reporter: seller.id }, 'reporter']
  ] as const) {
    t.match(await post('/api/v1/account/reports', report('listing', id, more), reporter.cookie), {
      status: 400,
      text: new RegExp(field)
    })
  }
})

t.test('a review that is removed counts no longer', async t => {
  const [review] = await knex('auction_reviews')
    .insert({
      auction: auctions.paid,
      author: buyer.id,
      about: seller.id,
      by: 'winner',
      stars: 1,
      text: 'Insults.',
      license: 'NOASSERTION',
      reviewer_score: 50
    })
    .returning<{ id: string }[]>('id')
  t.match(await dataOf('/api/v1/users/rep-seller/trust'), {
    reviews: { average: 1, total: 1, latest: [{ id: review?.id }] }
  })
  t.match(await textOf('/u/rep-seller/trust', seller.cookie), /name="of" value="[0-9a-f-]{36}"/, 'a form on the page')
  t.equal(
    (await post('/api/v1/account/reports', report('review', review?.id ?? ''), seller.cookie)).status,
    200,
    'whoever it is about may report it'
  )
  t.match(await waiting(), [{ kind: 'review', shown: 'Insults.', page: '/u/rep-seller/trust' }])
  t.equal((await decide((await waiting())[0]?.id, 'remove')).status, 200)
  t.match(await dataOf('/api/v1/users/rep-seller/trust'), { reviews: { average: null, total: 0, latest: [] } })
  t.equal((await post('/api/v1/account/reports', report('review', review?.id ?? ''), seller.cookie)).status, 404)
})

t.test('the entry of a collective is reported where it is shown, and removed', async t => {
  const entry = {
    slug: 'loud-club',
    display_name: 'Loud Club',
    kind: 'club',
    region: null,
    languages: ['en'],
    games: ['op'],
    description: 'We shout.',
    website_url: null,
    public_contact_url: null,
    accessibility_notes: null
  }
  await post('/api/v1/account/organisation', entry, seller.cookie)
  t.equal(
    (await post('/api/v1/account/reports', report('organisation', 'loud-club'), reporter.cookie)).status,
    404,
    'it is not listed'
  )
  t.equal((await approve('loud-club', admin.cookie)).status, 200)
  await receipts.give(seller.id, 'organisation', '2020-01-01')
  t.notMatch(await textOf('/organisations'), /Loud Club/, 'a receipt for an earlier notice lists nothing')
  await receipts.give(seller.id, 'organisation', noticeVersion)
  t.match(await textOf('/organisations'), /Loud Club[\s\S]*Sign in/)
  const page = await textOf('/organisations?q=LOUD', reporter.cookie)
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const sent = await get('/account/reports', {
    method: 'POST',
    headers: { Cookie: reporter.cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, ...report('organisation', 'loud-club') }).toString()
  })
  t.equal(sent.status, 200)
  t.match(await sent.text(), 'Thank you.')
  t.match(await waiting(), [{ kind: 'organisation', of: 'loud-club', page: '/organisations?q=loud-club' }])
  t.equal((await decide((await waiting())[0]?.id, 'remove')).status, 200)
  t.notMatch(await textOf('/organisations'), /Loud Club/)
  t.same(await waiting(), [])
  t.notMatch(await textOf('/api/v1/account/export', seller.cookie), /canary-(?:reporter|other)/)
})

t.test('an operator acts on people, keys and signals from the page, and never on themselves', async t => {
  const { made } = await keys.create({ kind: 'agent', name: 'helper', contact: 'x@example.org', person: seller.id })
  const act = async (path: string, body: Data = {}, cookie = admin.cookie): Promise<number> =>
    (await post(`/api/v1/account/operator/${path}`, body, cookie)).status
  t.equal(await act(`keys/${made.id}/hunt`, { change: 'give' }), 200)
  t.equal(await act(`keys/${made.id}/tier`, { tier: 'partner' }), 200)
  t.match(
    (await keys.all()).find(({ id }) => id === made.id),
    { tier: 'partner', scopes: ['read', 'hunt'] }
  )
  t.equal(await act(`keys/${made.id}/revoke`), 200)
  t.equal(await act('signals', { username: 'rep-seller', severity: 'high', reason: 'Two accounts.' }), 200)
  const [signal] = (await dataOf<{ signals: { id: string }[] }>('/api/v1/account/operator/desk', admin.cookie)).signals
  t.match(signal, { username: 'rep-seller', severity: 'high' })
  t.equal(await act(`signals/${signal?.id ?? ''}/resolve`), 200)
  t.equal(await act(`signals/${signal?.id ?? ''}/resolve`), 404)
  t.equal(await act('people/canary-other/suspension', { change: 'suspend' }), 200)
  t.equal(await statusOf('/api/v1/account', other.cookie), 401)
  t.equal(await act('people/canary-other/suspension', { change: 'resume' }), 200)
  t.equal(await act('people/rep-admin/suspension', { change: 'suspend' }), 409)
  t.equal(await act('people/rep-admin/role', { change: 'take' }), 409)
  t.equal(await act('people/canary-other/role', { change: 'give' }), 200)
  t.equal(await act('people/canary-other/role', { change: 'take' }), 200)
  t.equal(await act('people/nobody-at-all/role', { change: 'give' }), 404)
  for (const path of ['people/canary-other/role', 'people/canary-other/suspension'])
    t.equal(await act(path, { change: 'give' }, buyer.cookie), 403)
  t.same(
    (
      await knex('account_acts')
        .where({ actor: admin.id })
        .whereIn('act', [
          'keys.scopes',
          'keys.tier',
          'keys.revoke',
          'market.signal',
          'market.resolve',
          'people.suspend',
          'people.resume',
          'people.role.give',
          'people.role.take'
        ])
    ).length,
    9,
    'each act is written down'
  )
  const page = await textOf('/account/operator', admin.cookie)
  for (const section of [
    'Approvals',
    'Reports',
    'Disputes and fraud',
    'People',
    'Keys',
    'Imports',
    'Health',
    'What was done'
  ])
    t.match(page, section)
})

t.test('of two admins who decide at once, one does; what they decided is what is so', async t => {
  const [second, teller] = [await person('rep-admin-two', true), await person('rep-teller')]
  const trying = Object.values(await seedAuctions(database, seller.id, buyer.id))
  for (const id of trying) {
    if ((await post('/api/v1/account/reports', report('listing', id), teller.cookie)).status !== 200) continue
    const [sent] = await waiting()
    const answers = await Promise.all([decide(sent?.id, 'remove'), decide(sent?.id, 'keep', second.cookie)])
    t.same(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409]
    )
    const isRemoved = answers[0].status === 200
    t.equal(await statusOf(`/api/auctions/${id}`), isRemoved ? 404 : 200, isRemoved ? 'removed' : 'kept')
    t.match(await knex('content_reports').where({ id: sent?.id }), [{ decision: isRemoved ? 'removed' : 'kept' }])
  }
})

t.test(
  'no admin decides what is reported of themselves, approves their own entry, or resolves a signal about themselves',
  async t => {
    const [party, teller] = [await person('rep-admin-party', true), await person('rep-teller-two')]
    const mine = await seedAuctions(database, party.id, buyer.id)
    const [review] = await knex('auction_reviews')
      .insert({
        auction: mine.paid,
        author: party.id,
        about: seller.id,
        by: 'seller',
        stars: 1,
        text: 'Never again.',
        license: 'NOASSERTION',
        reviewer_score: 50
      })
      .returning<{ id: string }[]>('id')
    for (const [kind, of] of [
      ['listing', mine.live_english],
      ['review', review?.id ?? '']
    ] as const) {
      t.equal((await post('/api/v1/account/reports', report(kind, of), teller.cookie)).status, 200, kind)
      for (const decision of ['keep', 'remove'])
        t.equal((await decide((await waiting())[0]?.id, decision, party.cookie)).status, 409, `${kind}: ${decision}`)
      t.equal((await decide((await waiting())[0]?.id, 'keep')).status, 200, 'another admin does')
    }
    await post(
      '/api/v1/account/organisation',
      {
        slug: 'own-club',
        display_name: 'Own Club',
        kind: 'club',
        region: null,
        languages: ['en'],
        games: ['op'],
        description: 'Ours.',
        website_url: null,
        public_contact_url: null,
        accessibility_notes: null
      },
      party.cookie
    )
    const formsOf = async (cookie: string): Promise<string[]> =>
      waysOf(await textOf('/account/operator', cookie)).map(({ action }) => action)
    const acts = (signal: string): string[] => [
      '/account/operator/people/rep-admin-party/suspension',
      '/account/operator/people/rep-admin-party/role',
      '/account/operator/organisations/own-club/approve',
      `/account/operator/signals/${signal}/resolve`
    ]
    t.equal((await approve('own-club', party.cookie)).status, 409)
    await post(
      '/api/v1/account/operator/signals',
      { username: 'rep-admin-party', severity: 'high', reason: 'Two accounts.' },
      admin.cookie
    )
    const [signal] = (await dataOf<{ signals: { id: string }[] }>('/api/v1/account/operator/desk', admin.cookie))
      .signals
    t.equal((await post(`/api/v1/account/operator/signals/${signal?.id ?? ''}/resolve`, {}, party.cookie)).status, 409)
    const [own, others] = [await formsOf(party.cookie), await formsOf(admin.cookie)]
    for (const act of acts(signal?.id ?? ''))
      t.same([own.includes(act), others.includes(act)], [false, true], `the page shows it to others alone: ${act}`)
    t.ok(own.includes('/account/operator/people/rep-admin/role'))
    t.equal((await approve('own-club', admin.cookie)).status, 200)
    t.equal((await post(`/api/v1/account/operator/signals/${signal?.id ?? ''}/resolve`, {}, admin.cookie)).status, 200)
  }
)

t.test('leaving takes the reports of a person with it', async t => {
  t.ok((await knex('content_reports').where({ reporter: reporter.id })).length > 0)
  t.equal((await post('/api/v1/account/leave', { username: 'canary-reporter' }, reporter.cookie)).status, 200)
  t.equal((await knex('content_reports').where({ reporter: reporter.id })).length, 0)
})
