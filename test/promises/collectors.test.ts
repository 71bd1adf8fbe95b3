import t from 'tap'
import { isOpen } from '../../core/access/index.ts'
import { formType } from '../../core/vocabulary/words.ts'
import { openAccounts } from '../../surfaces/people/open.ts'
import { noticeVersion } from '../../surfaces/people/receipts.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { followNext } from '../support/follow-next.ts'
import { hiddenIn } from '../support/market-service.ts'
import { waysOf } from '../support/read-forms.ts'
import { readHtml } from '../support/read-html.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const own = 'http://127.0.0.1:8080'
const {
  services: { people, signIn }
} = openAccounts(database, own)
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))

type Data = Record<string, unknown>
const person = async (name: string, admin = false): Promise<{ id: string; cookie: string }> => {
  const { id } = await people.add(name, admin ? ['admin'] : [])
  return { id, cookie: `pantry_session=${(await signIn.withCode(name, await signIn.issueCode(id)))?.secret ?? ''}` }
}
const post = async (
  path: string,
  body: unknown,
  cookie: string
): Promise<{ status: number; data: Data; text: string }> => {
  const response = await get(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: own, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  return { status: response.status, text, data: (JSON.parse(text) as { data: Data | null }).data ?? {} }
}
const read = async (path: string, cookie = ''): Promise<Data> =>
  ((await (await get(path, { headers: cookie === '' ? {} : { Cookie: cookie } })).json()) as { data: Data }).data
const agree = async (cookie: string, ...scopes: readonly string[]): Promise<void> => {
  for (const scope of scopes)
    t.equal(
      (await post('/api/v1/account/receipts', { scope, notice_version: noticeVersion }, cookie)).status,
      200,
      scope
    )
}
const all = ['profile', 'have-list', 'want-list', 'language', 'region']
const {
  items: [card = { sku: '' }, other = { sku: '' }]
} = await (async () => {
  const { matches } = (await read('/api/v1/search/cards?game=op&q=OP01-001&limit=2')) as { matches: { sku: string }[] }
  return { items: matches }
})()

t.test('pasted lines are resolved, and each is answered', async t => {
  const { cookie } = await person('paster')
  const told = await post(
    '/api/v1/account/cards',
    { list: 'have', text: `2 ${card.sku}\n${other.sku.toUpperCase()} x3\nELE041\nno-such-card-99\n0 ${card.sku}` },
    cookie
  )
  t.equal(told.status, 200)
  t.match(told.data, {
    list: 'have',
    added: 2,
    lines: [
      { line: 1, status: 'added', sku: card.sku, quantity: 2 },
      { line: 2, status: 'added', sku: other.sku, quantity: 3 },
      { line: 3, status: 'ambiguous' },
      { line: 4, status: 'not_found' },
      { line: 5, status: 'invalid' }
    ]
  })
  t.match(await read('/api/v1/account/cards', cookie), { have: [{ sku: String }, { sku: String }], want: [] })
  t.equal((await post('/api/v1/account/cards', { list: 'have', text: 'A1\n'.repeat(201) }, cookie)).status, 400)
  t.equal((await post('/api/v1/account/cards', { list: 'loot', text: 'A1' }, cookie)).status, 400)
  t.equal((await post('/api/v1/account/cards/remove', { list: 'have', sku: card.sku }, cookie)).status, 200)
  t.equal((await post('/api/v1/account/cards/remove', { list: 'have', sku: card.sku }, cookie)).status, 404)
  t.match(await read('/api/v1/account/cards', cookie), { have: [{ sku: other.sku }] })
})

t.test(
  'a number is its ordinary printing; where it means several cards, one press takes one and leaves the other lines to choose',
  async t => {
    const { cookie } = await person('chooser')
    const page = async (fields: Readonly<Record<string, string>>): Promise<string> => {
      const response = await get('/account/cards', {
        method: 'POST',
        headers: { 'Content-Type': formType, Origin: own, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
        body: new URLSearchParams(fields).toString()
      })
      t.equal(response.status, 200)
      return await response.text()
    }
    const token = hiddenIn(await (await get('/account/cards', { headers: { Cookie: cookie } })).text(), 'token')
    const first = await page({ token, list: 'want', game: '', lang: 'en', text: '2 OP01-001\r\nELE041 x3\nELE041' })
    t.match(first, /1 of 3 lines are on the list/)
    t.match(first, '2 × <a href="/product/op-op01-001-en">')
    const choices = waysOf(first).filter(({ fields }) => fields['choice'] !== undefined)
    const press = choices.at(-1)
    const anyLanguage = waysOf(await page({ token, list: 'want', text: '2 OP01-001' })).flatMap(
      ({ fields: { choice }, label }) => (choice === undefined ? [] : [label])
    )
    t.same(anyLanguage, ['op-op01-001-en', 'op-op01-001-ja'], 'the ordinary printing of each language')
    t.ok(choices.length >= 4)
    t.match(press, {
      action: '/account/cards',
      fields: { token, list: 'want', lang: 'en', text: 'ELE041 x3\nELE041', choice: /^2 1 fab-ele-041-en-/ }
    })
    const second = await page(press?.fields ?? {})
    t.match(second, /1 of 2 lines are on the list/)
    const last = waysOf(second).find(({ label }) => label !== press?.label && label.startsWith('fab-'))
    t.match(last?.fields, { text: 'ELE041 x3', choice: /^1 3 / })
    t.notMatch(await page(last?.fields ?? {}), 'name="choice"')
    t.match(await read('/api/v1/account/cards', cookie), {
      want: [
        { sku: last?.label, quantity: 3 },
        { sku: press?.label, quantity: 1 },
        { sku: 'op-op01-001-en', quantity: 2 }
      ].sort((a, b) => (String(a.sku) < String(b.sku) ? -1 : 1))
    })
  }
)

t.test('a link on the page of a card leads to one press, also past signing in', async t => {
  const link = `/account/cards?sku=${card.sku}&list=want`
  t.match(await (await get(`/product/${card.sku}`)).text(), `<a href="${link.replace('&', '&amp;')}">I look for it</a>`)
  const refused = await get(link)
  t.equal(refused.status, 401)
  const signInWay = waysOf(await refused.text()).find(({ action }) => action === '/account/sign-in')
  t.match(signInWay?.fields, { next: link })
  const { id } = await people.add('presser', [])
  const send = async (path: string, fields: Readonly<Record<string, string>>, cookie = ''): Promise<Response> =>
    await get(path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': formType, Origin: own, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
      body: new URLSearchParams(fields).toString()
    })
  const wrong = await send('/account/sign-in', { username: 'presser', code: 'AAAAA-AAAAA', next: link })
  t.match(
    waysOf(await wrong.text()).find(({ action }) => action === '/account/sign-in'),
    { fields: { next: link } },
    'it is kept where a code is wrong'
  )
  const signed = await send('/account/sign-in', { username: 'presser', code: await signIn.issueCode(id), next: link })
  t.same([signed.status, signed.headers.get('location')], [303, `${link}&done=pages/account/sign-in.sign_in`])
  const [cookie = ''] = (signed.headers.get('set-cookie') ?? '').split(';')
  const press = waysOf(await (await get(link, { headers: { Cookie: cookie } })).text()).find(
    ({ label }) => label === 'I look for it'
  )
  t.equal((await send(press?.action ?? '', press?.fields ?? {}, cookie)).status, 200)
  t.match(await read('/api/v1/account/cards', cookie), { want: [{ sku: card.sku, quantity: 1 }] })
  const sell = await (await get(`/account/auctions?sku=${card.sku}`, { headers: { Cookie: cookie } })).text()
  t.match(waysOf(sell).find(({ label }) => label === 'Save the draft')?.fields, { sku: card.sku })
  for (const next of ['https://other.example/', '//other.example/', '/\\other.example/', 'account'])
    t.equal((await get(`/account/sign-in?next=${encodeURIComponent(next)}`)).status, 400, next)
})

t.test('a list comes as a file too, and of a table no price or link gets anywhere', async t => {
  const { cookie } = await person('filer')
  const table = `Quantity,SKU,Price,Link\n4,${card.sku},871.93 canary-price,https://canary-link.example/\n1,no-such-card-98,8,9`
  const send = async (path: string, form: FormData, headers: Record<string, string> = {}): Promise<Response> =>
    await get(path, {
      method: 'POST',
      headers: { Origin: own, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie, ...headers },
      body: form
    })
  const formOf = (fields: Record<string, string>, type = 'text/csv'): FormData => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new File([table], '../../mine.csv', { type }))
    return form
  }
  const told = await send('/api/v1/account/cards', formOf({ list: 'have' }))
  const text = await told.text()
  t.match(JSON.parse(text), {
    data: {
      lines: [
        { text: `4 ${card.sku}`, status: 'added', sku: card.sku, quantity: 4 },
        { text: '1 no-such-card-98', status: 'not_found' }
      ]
    }
  })
  t.equal((await send('/api/v1/account/cards', formOf({ list: 'have' }, 'image/png'))).status, 415)
  t.equal((await send('/api/v1/account/cards', formOf({ list: 'have', price: '3' }))).status, 400)
  t.equal(
    (await send('/api/v1/account/cards', formOf({ list: 'have' }), { 'Sec-Fetch-Site': 'cross-site' })).status,
    403,
    'a form of another site'
  )
  const page = await (await get('/account/cards', { headers: { Cookie: cookie } })).text()
  const token = hiddenIn(page, 'token', '/account/cards')
  t.match(page, /<form[^>]*action="\/account\/cards"[^>]*enctype="multipart\/form-data"/)
  const shown = await send('/account/cards', formOf({ token, list: 'want', text: `2 ${other.sku}` }))
  t.equal(shown.status, 200)
  const written = await shown.text()
  for (const sku of [card.sku, other.sku]) t.match(written, sku, 'what was pasted and what was sent')
  t.equal((await send('/account/cards', formOf({ list: 'want', text: '' }))).status, 403, 'without the token')
  const none = await send('/account/cards', formOf({ token, list: 'want', text: '' }, 'image/png'))
  t.equal(none.status, 415)
  const stored = JSON.stringify((await database.knex.raw<{ rows: unknown[] }>('select * from list_cards')).rows)
  for (const canary of ['871.93', 'canary-price', 'canary-link'])
    for (const one of [text, written, stored]) t.notMatch(one, canary)
  t.match(stored, card.sku)
})

t.test('a list that is full says so, and loses nothing that it held', async t => {
  const { id, cookie } = await person('hoarder')
  await database
    .knex('list_cards')
    .insert(
      Array.from({ length: 2_000 }, (_, index) => ({ person: id, list: 'have', sku: `made-up-${index}`, quantity: 1 }))
    )
  const told = await post('/api/v1/account/cards', { list: 'have', text: `2 ${card.sku}` }, cookie)
  t.match(told.data, { added: 0, lines: [{ status: 'full' }] })
  t.equal(((await read('/api/v1/account/cards', cookie)) as { have: unknown[] }).have.length, 2_000)
})

t.test(
  'two parties are compared by what both have published; a suspended, an unpublished and an unknown one look the same',
  async t => {
    const [one, two] = [await person('bridge-one'), await person('bridge-two')]
    await post('/api/v1/account/cards', { list: 'have', text: card.sku }, one.cookie)
    await post('/api/v1/account/cards', { list: 'want', text: card.sku }, two.cookie)
    for (const { cookie } of [one, two])
      t.equal(
        (await post('/api/v1/account/profile', { languages: ['en'], region: 'NL', cadence: 'weekly' }, cookie)).status,
        200
      )
    const bridge = async (b = 'u:bridge-two'): Promise<string> =>
      JSON.stringify(await read(`/api/v1/bridge?a=u:bridge-one&b=${b}`)).replaceAll(b, 'b')
    const nothing = await bridge('u:nobody-at-all')
    t.equal(await bridge(), nothing, 'nothing is published yet')
    await agree(one.cookie, ...all)
    t.equal(await bridge(), nothing, 'one side alone')
    await agree(two.cookie, ...all.slice(1))
    t.equal(await bridge(), nothing, 'lists without a profile')
    await agree(two.cookie, 'profile')
    t.match(JSON.parse(await bridge()), {
      metrics: {
        b_wants_from_a: { value: 1 },
        shared_languages: { value: ['en'] },
        region_match: { value: 'same' },
        cadence_ratio: { value: 1 }
      },
      bridge_score: Number
    })
    const cells = async (): Promise<readonly string[]> =>
      readHtml(await (await get('/bridge?a=u:bridge-one&b=u:bridge-two')).text())
        .texts.filter(({ isValue }) => isValue)
        .map(({ text }) => text)
    const shown = await cells()
    for (const pair of [
      ['What A could give B', '1 card'],
      ['Languages that both use', 'English'],
      ['How alike their languages are', '100 %'],
      ['Country or territory', 'same']
    ])
      t.same(shown.slice(shown.indexOf(pair[0] ?? '')).slice(0, 2), pair)
    t.notMatch(shown.join('\n'), /jaccard|portfolio|cadence|[∩∪|_]/i, 'in plain words')
    await post('/api/v1/account/receipts/want-list/withdraw', {}, two.cookie)
    t.match(JSON.parse(await bridge()), {
      metrics: { b_wants_from_a: { value: null, reason: 'not_published' }, region_match: { value: 'same' } }
    })
    await people.setSuspended(two.id, true)
    t.equal(await bridge(), nothing, 'suspended')
    const response = await get('/api/v1/bridge?a=u:bridge-one&b=u:bridge-two')
    t.match(response.headers.get('cache-control'), 'no-store')
    t.equal((await get('/api/v1/bridge?a=bridge-one&b=u:bridge-two')).status, 400)
    t.ok((await cells()).includes('A or B has not published it'))
  }
)

const versionOf = async (slug: string, cookie: string): Promise<string> =>
  (
    (await read('/api/v1/account/operator', cookie)) as { organisations: { slug: string; version: string }[] }
  ).organisations.find(one => one.slug === slug)?.version ?? ''
const approve = async (slug: string, version: string, cookie: string): Promise<{ status: number; text: string }> =>
  await post(`/api/v1/account/operator/organisations/${slug}/approve`, { version }, cookie)

const entry = {
  slug: 'owls',
  display_name: 'Canary Owls',
  kind: 'club',
  region: 'NL',
  languages: ['nl'],
  games: ['op'],
  description: 'We play.',
  website_url: 'https://owls.example',
  public_contact_url: null,
  accessibility_notes: null
}

t.test('a collective is listed with its receipt and approval, and no longer than that', async t => {
  const [keeper, admin, rival] = [
    await person('owl-keeper'),
    await person('owl-admin', true),
    await person('owl-rival')
  ]
  const listed = async (query = ''): Promise<string> =>
    JSON.stringify((await read(`/api/v1/directory/organisations${query}`))['items'])
  t.equal((await post('/api/v1/account/organisation', entry, keeper.cookie)).status, 200)
  t.equal(await listed(), '[]', 'written')
  const written = await versionOf('owls', admin.cookie)
  t.equal((await approve('owls', written, keeper.cookie)).status, 403)
  t.equal((await approve('owls', written, admin.cookie)).status, 200)
  t.equal(await listed(), '[]', 'approved, without a receipt')
  await agree(keeper.cookie, 'organisation')
  t.match(await listed(), /Canary Owls/)
  t.notMatch(await listed(), /owl-keeper/)
  for (const query of ['?kind=club', '?game=op', '?game=one-piece', '?region=NL', '?language=nl', '?q=CANARY'])
    t.match(await listed(query), /Canary Owls/, query)
  for (const query of ['?kind=shop', '?game=mtg', '?region=JP', '?language=ja', '?q=%25', '?offset=1'])
    t.equal(await listed(query), '[]', query)
  t.match(JSON.parse(JSON.stringify(await read('/api/v1/bridge?a=c:owls&b=c:owls'))), {
    metrics: { shared_languages: { value: ['nl'] }, portfolio_jaccard: { value: null } }
  })
  t.match(await post('/api/v1/account/organisation', entry, rival.cookie), { status: 400, text: /taken/ })
  t.equal(
    (await post('/api/v1/account/organisation', { ...entry, display_name: 'Buy here' }, keeper.cookie)).status,
    200
  )
  t.equal(await listed(), '[]', 'a changed entry waits again')
  t.match(
    await approve('owls', written, admin.cookie),
    { status: 409, text: /read it again/ },
    'what was read before the change'
  )
  t.equal(await listed(), '[]', 'and nothing is approved')
  t.equal((await approve('owls', await versionOf('owls', admin.cookie), admin.cookie)).status, 200)
  await post('/api/v1/account/receipts/organisation/withdraw', {}, keeper.cookie)
  t.equal(await listed(), '[]', 'withdrawn')
  await agree(keeper.cookie, 'organisation')
  await people.setSuspended(keeper.id, true)
  t.equal(await listed(), '[]', 'suspended')
  await people.setSuspended(keeper.id, false)
  t.not(await listed(), '[]')
  t.equal(
    (await post('/api/v1/account/operator/organisations/owls/remove', { reason: 'An advertisement.' }, admin.cookie))
      .status,
    200
  )
  t.equal(await listed(), '[]', 'removed')
})

t.test('the form of an operator approves the entry that its page showed, and no other', async t => {
  const [keeper, admin] = [await person('form-keeper'), await person('form-admin', true)]
  const write = async (website: string): Promise<void> => {
    t.equal(
      (
        await post(
          '/api/v1/account/organisation',
          { ...entry, slug: 'form-owls', display_name: 'Form Owls', website_url: website },
          keeper.cookie
        )
      ).status,
      200
    )
  }
  await write('https://owls.example/first')
  const page = await (await get('/account/operator', { headers: { Cookie: admin.cookie } })).text()
  t.match(page, 'https://owls.example/first', 'all that the entry says is shown')
  const form = waysOf(page).find(({ action }) => action.endsWith('/form-owls/approve'))
  const send = async (fields: Readonly<Record<string, string>>): Promise<Response> =>
    await get(form?.action ?? '', {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: own,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: admin.cookie
      },
      body: new URLSearchParams({ ...fields })
    })
  await write('https://owls.example/second')
  const refused = await send(form?.fields ?? {})
  t.equal(refused.status, 409)
  t.match(await refused.text(), /read it again/)
  t.match(await post('/api/v1/account/operator/organisations/form-owls/approve', {}, admin.cookie), {
    status: 400,
    text: /version/
  })
  t.match(await approve('nobody-there', await versionOf('form-owls', admin.cookie), admin.cookie), { status: 404 })
  await write('https://owls.example/first')
  t.equal((await send(form?.fields ?? {})).status, 303, 'it says again what was read')
})

t.test('bad entries and profiles are refused by field; leaving erases lists, profile and entry', async t => {
  const { id, cookie } = await person('canary-leaver')
  for (const [more, field] of [
    [{ website_url: 'javascript:alert(1)' }, 'website_url'],
    [{ slug: '../x' }, 'slug'],
    [{ games: ['nope'] }, 'games'],
    [{ region: 'ZZ' }, 'region'],
    [{ approved_at: 'now' }, 'approved_at']
  ] as const) {
    t.match(await post('/api/v1/account/organisation', { ...entry, slug: 'leavers', ...more }, cookie), {
      status: 400,
      text: new RegExp(field)
    })
  }
  t.match(
    await post('/api/v1/account/profile', { languages: ['english please'], region: null, cadence: null }, cookie),
    { status: 400, text: /languages/ }
  )
  t.match(await post('/api/v1/account/profile', { languages: [], region: null, cadence: 'never' }, cookie), {
    status: 400,
    text: /same-day/
  })
  await post('/api/v1/account/cards', { list: 'want', text: card.sku }, cookie)
  await post('/api/v1/account/profile', { languages: ['en'], region: 'NL', cadence: 'weekly' }, cookie)
  t.equal((await post('/api/v1/account/organisation', { ...entry, slug: 'leavers' }, cookie)).status, 200)
  t.match(
    await read('/api/v1/account', cookie),
    { profile: { region: 'NL' }, organisation: { slug: 'leavers' } },
    'the account shows them'
  )
  t.equal((await post('/api/v1/account/leave', { username: 'canary-leaver' }, cookie)).status, 200)
  for (const table of ['profiles', 'list_cards', 'organisations'])
    t.equal((await database.knex(table).where({ person: id })).length, 0, table)
})

t.test('the directory leads through all of its pages by Link', async t => {
  const admin = await person('page-admin', true)
  for (const slug of ['page-one', 'page-two', 'page-three']) {
    const { cookie } = await person(`${slug}-keeper`)
    await post('/api/v1/account/organisation', { ...entry, slug, display_name: slug, region: 'BE' }, cookie)
    await agree(cookie, 'organisation')
    t.equal((await approve(slug, await versionOf(slug, admin.cookie), admin.cookie)).status, 200)
  }
  const pages = (await followNext(get, '/api/v1/directory/organisations?region=BE&limit=1')) as {
    data: { items: { slug: string }[] }
    _meta: { next_link: string | null }
  }[]
  const slugs = pages.map(({ data: { items } }) => items.map(({ slug }) => slug).join())
  t.same(slugs.sort(), ['page-one', 'page-three', 'page-two'])
  t.ok(pages.every(({ _meta: meta }) => meta.next_link === null))
})

t.test('a public page is the same with and without a session, and has no form that needs one', async t => {
  const { cookie } = await person('reader')
  const steady = (html: string): string =>
    html.replaceAll(/req_[\w-]{16}/g, 'ID').replaceAll(/\d{4}-\d{2}-\d{2}[T ][\d:.]+(?:Z| UTC)/g, 'TIME')
  let same = 0
  for (const { page, access, examples } of registry.surfaces) {
    if (page === undefined || !isOpen(access)) continue
    for (const { url: path, method, expect } of examples) {
      if (method !== 'GET' || expect.status !== 200 || path.includes('run=yes')) continue
      const without = await (await get(path)).text()
      t.equal(steady(await (await get(path, { headers: { Cookie: cookie } })).text()), steady(without), path)
      t.notMatch(without, /<input[^>]* name="token"/, `${path}: no form of a session`)
      same += 1
    }
  }
  t.ok(cookie !== '' && same > 40, `${same} pages`)
})
