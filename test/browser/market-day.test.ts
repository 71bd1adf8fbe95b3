// test: long, alone. It lives a market day in a real browser over a real service, and then forges a receipt.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { silent } from '../../core/database/connection.ts'
import { startEmbedded } from '../../core/database/embedded.ts'
import { noBrowser, openBrowser, visit } from '../support/chromium.ts'
import { query } from '../support/embedded.ts'
import { keepPicture } from '../support/look-at-page.ts'
import { program } from '../support/program.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

const run = promisify(execFile)
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false
)

type Seed = Readonly<{ admin_cookie: string; seller_cookie: string; hidden_username: string }>
type Auction = Readonly<{
  status: string
  bid_count: number
  extensions: number
  ends_at: string
  viewer_role: string
  current_price: { pence: number }
}>

t.test('a market day', { skip: noBrowser ?? (!hasPython && 'there is no Python here') }, async t => {
  const PANTRY_DATA_DIR = scratchFolder(t)
  const env = { ...process.env, PANTRY_DATA_DIR, LOG_LEVEL: 'silent' }
  const pantry = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [...program('bin/commands/pantry'), ...args], { env })).stdout.trim()
  const seed = JSON.parse(await pantry('dev-seed', '--format', 'json')) as Seed
  const { url } = await startService(t, { args: [], env: { PANTRY_DATA_DIR } })
  const origin = url.replace('127.0.0.1', 'localhost')
  const server = await startEmbedded({ dataDir: PANTRY_DATA_DIR, log: silent, share: true })
  const sql = async (statement: string): Promise<readonly Record<string, unknown>[]> => await query(server, statement)

  const json = async (
    path: string,
    body?: object,
    cookie?: string
  ): Promise<{ status: number; headers: Headers; body: Record<string, never> }> => {
    const response = await fetch(origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...(cookie === undefined ? {} : { Cookie: cookie }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, never>
    }
  }
  const auction = async (id: string, cookie?: string): Promise<Auction> =>
    (await json(`/api/auctions/${id}`, undefined, cookie)).body as unknown as Auction

  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const contextOf = async (cookie?: string): Promise<BrowserContext> => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1024, height: 900 } })
    if (cookie !== undefined)
      await context.addCookies([{ name: 'pantry_session', value: cookie.replace('pantry_session=', ''), url: origin }])
    return context
  }
  const [seller, admin] = (await Promise.all(
    [seed.seller_cookie, seed.admin_cookie].map(async cookie => await (await contextOf(cookie)).newPage())
  )) as [Page, Page]
  let pictures = 0
  const picture = async (page: Page, name: string): Promise<void> => {
    await keepPicture(page, `market-day-${String((pictures += 1)).padStart(2, '0')}-${name}.png`)
  }
  const idIn = (page: Page): string => /auctions\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  const press = async (page: Page, button: string): Promise<void> => {
    await page
      .getByRole('button', { name: new RegExp(`^${button}(?::|$)`) })
      .first()
      .click()
  }

  /** What the trust page says of the seller: the score and the points of each part. */
  const trust = async (name: string): Promise<Readonly<{ score: number; parts: Record<string, number> }>> => {
    await visit(seller, `${origin}/u/${seed.hidden_username}/trust`)
    await picture(seller, name)
    const { data } = (await json(`/api/v1/users/${seed.hidden_username}/trust`)).body as unknown as {
      data: { trust_score: number; parts: { part: string; points: number }[] }
    }
    for (const { points } of data.parts) t.match(await seller.locator('main').innerText(), String(points))
    return { score: data.trust_score, parts: Object.fromEntries(data.parts.map(({ part, points }) => [part, points])) }
  }
  t.equal(
    (await json(`/api/v1/users/${seed.hidden_username}/trust`)).status,
    404,
    'nothing of the seller is public yet'
  )
  await visit(seller, `${origin}/account`)
  await seller.getByRole('button', { name: 'Share: profile' }).click()
  const before = await trust('trust-before')

  /** The seller lists a card by the form, and submits it. */
  async function list(fields: Readonly<Record<string, string>>, checks: readonly string[] = []): Promise<string> {
    await visit(seller, `${origin}/account/auctions`)
    for (const [name, value] of Object.entries({ sku: 'op-op01-001-en', starting_price: '5', ...fields })) {
      const field = seller.locator(`form [name=${name}]`).first()
      if ((await field.evaluate(one => one.tagName)) === 'SELECT') await field.selectOption(value)
      else await field.fill(value)
    }
    for (const name of checks) await seller.locator(`[name=${name}]`).first().check()
    await press(seller, 'Save the draft')
    await press(seller, 'Submit')
    return idIn(seller)
  }
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)
  const id = await list(
    {
      title: 'Zoro for a friend',
      description: 'Sold for a friend, from a smoke-free home.',
      ends_at: inHours(2),
      reserve_price: '8'
    },
    ['is_consignment']
  )
  await picture(seller, 'seller-waits')
  t.equal((await json(`/api/auctions/${id}`)).status, 404, 'a consignment is not found before it is approved')
  await visit(admin, `${origin}/account/operator`)
  await picture(admin, 'operator')
  await visit(admin, `${origin}/auctions/${id}`)
  await press(admin, 'Decide')
  t.equal((await auction(id)).status, 'live')

  // Ten bidders: half bid by the forms of pages, half by JSON.
  const names = Array.from({ length: 10 }, (_, place) => `bidder-${place}`)
  const bidders: { name: string; cookie: string; page: Page | undefined }[] = []
  for (const [place, name] of names.entries()) {
    const { code } = JSON.parse(await pantry('people', 'add', name, '--format', 'json')) as { code: string }
    if (place % 2 === 0) {
      const context = await contextOf()
      const page = await context.newPage()
      await visit(page, `${origin}/account/sign-in`)
      await page.fill('#username', name)
      await page.fill('#code', code)
      await page.locator('form.own button[type=submit]').first().click()
      const [cookie] = await context.cookies()
      bidders.push({ name, cookie: `pantry_session=${cookie?.value ?? ''}`, page })
    } else {
      const signed = await json('/api/v1/account/sign-in', { username: name, code })
      bidders.push({
        name,
        cookie: /pantry_session=[^;]+/.exec(signed.headers.get('set-cookie') ?? '')?.[0] ?? '',
        page: undefined
      })
    }
  }
  const [first] = bidders
  if (first?.page === undefined) throw new Error('There is no bidder.')
  const page = first.page
  await visit(page, `${origin}/auctions/${id}`)
  await picture(page, 'before-a-bid')
  await page.fill('#amount', '4.99')
  await press(page, 'Place the bid')
  t.match(await page.locator('main').innerText(), /least that counts now is £5\.00/)
  t.equal(await page.locator('#amount:focus').inputValue(), '4.99', 'what was typed is there, with the focus')
  await picture(page, 'bid-too-low')
  for (const [place, one] of bidders.entries()) {
    const amount = 500 + place * 50
    if (one.page === undefined) {
      t.match(
        await json(`/api/auctions/${id}/bids`, { amount }, one.cookie),
        { status: 200, body: { act: 'bid', amount } },
        one.name
      )
      continue
    }
    await visit(one.page, `${origin}/auctions/${id}`)
    await one.page.fill('#amount', (amount / 100).toFixed(2))
    await press(one.page, 'Place the bid')
    t.match(await auction(id), { bid_count: place + 1, current_price: { pence: amount } }, one.name)
  }
  t.match(await auction(id), { bid_count: 10, extensions: 0, reserve_met: true })

  // Nobody waits two hours: the end comes to the last minute, and somebody snipes.
  await sql(
    `update auctions set ends_at = date_trunc('milliseconds', clock_timestamp()) + interval '60 seconds' where id = '${id}'`
  )
  const end = Date.parse((await auction(id)).ends_at)
  await visit(page, `${origin}/auctions/${id}`)
  await picture(page, 'last-minute')
  await page.fill('#amount', '12')
  await press(page, 'Place the bid')
  const sniped = await auction(id)
  t.match(sniped, { extensions: 1, current_price: { pence: 1200 } })
  t.equal(Date.parse(sniped.ends_at) - end, 120_000, 'the end moved by two minutes')
  await visit(page, `${origin}/auctions/${id}`)
  await picture(page, 'after-the-snipe')
  await visit(page, `${origin}/auctions/${id}/read`)
  await picture(page, 'calm-read')
  await sql(`update auctions set ends_at = date_trunc('milliseconds', clock_timestamp()) where id = '${id}'`)
  t.match(await auction(id, first.cookie), { status: 'ended', viewer_role: 'winner' })
  const late = await json(`/api/auctions/${id}/bids`, { amount: 5000 }, bidders[1]?.cookie)
  t.match(late, { status: 409, body: { error: { code: 'CONFLICT', details: { status: 'ended' } } } }, 'a late bid')

  // An offer is made, and the seller takes it.
  const offered = await list({ title: 'Zoro, open to offers', ends_at: inHours(48), starting_price: '20' }, [
    'allow_best_offer'
  ])
  const buyer = bidders[2]
  if (buyer?.page === undefined) throw new Error('There is no buyer.')
  await visit(buyer.page, `${origin}/auctions/${offered}`)
  await buyer.page.locator('#offer').fill('18.50')
  await press(buyer.page, 'Make an offer')
  await picture(buyer.page, 'offer-made')
  t.notMatch(
    JSON.stringify((await json(`/api/auctions/${offered}/bids`)).body),
    '1850',
    'an offer is for the seller alone'
  )
  await visit(seller, `${origin}/auctions/${offered}`)
  await picture(seller, 'seller-sees-the-offer')
  await seller.getByRole('button', { name: 'Accept: £18.50 for Zoro, open to offers' }).click()
  await press(seller, 'Accept the offer')
  t.match(await auction(offered, buyer.cookie), {
    status: 'ended',
    viewer_role: 'winner',
    current_price: { pence: 1850 }
  })

  // Both are paid, sent, received and reviewed, by forms.
  for (const [sold, by] of [
    [id, first],
    [offered, buyer]
  ] as const) {
    const winner = by.page as Page
    const at = `${origin}/auctions/${sold}`
    await visit(winner, at)
    await winner.locator('[name=address]').fill('1 Harbour Street, Utrecht')
    await press(winner, 'Give the address')
    await visit(admin, at)
    await press(admin, 'Record the payment')
    t.match(await admin.locator('main').innerText(), /cannot be undone/)
    await press(admin, 'Record the payment')
    t.match(await admin.locator('[role=status]').first().innerText(), /payment is recorded/)
    await visit(seller, at)
    t.match(await seller.locator('main').innerText(), /1 Harbour Street/)
    await seller.locator('[name=carrier]').fill('Post')
    await seller.locator('[name=tracking_number]').fill('RR123')
    await press(seller, 'I have sent it')
    await visit(winner, at)
    await press(winner, 'It has arrived')
    for (const [page, text] of [
      [winner, 'Just as it was described.'],
      [seller, 'Paid at once.']
    ] as const) {
      await visit(page, at)
      await page.locator('form[action$="/review"] [name=text]').fill(text)
      await press(page, 'Review')
    }
    await visit(winner, at)
    await picture(winner, 'trade-done')
  }
  t.notMatch(await (await fetch(`${origin}/auctions/${id}`)).text(), /bidder-|Harbour|Just as/)
  const after = await trust('trust-after')
  t.comment(`trust of the seller before: ${JSON.stringify(before)}, after: ${JSON.stringify(after)}`)
  t.ok(after.score > before.score)
  t.equal(
    after.score,
    Object.values(after.parts).reduce((sum, points) => sum + points, 0),
    'the parts add up'
  )
  await visit(seller, `${origin}/account/auctions`)
  await picture(seller, 'desk')
  await visit(page, `${origin}/auctions`)
  await picture(page, 'auctions')

  // A draw is begun and opened, and proven from outside.
  const begun = (await json('/api/v1/draws', { set: 'a1' })).body as unknown as { data: { id: string } }
  const opened = await json(`/api/v1/draws/${begun.data.id}/open`, { client_seed: 'ab'.repeat(32) })
  t.equal(opened.status, 200)
  const script = async (): Promise<string> =>
    (await run('python3', [join(packageFolder, 'docs/verify.py'), origin])).stdout
  t.match(await script(), /hold/)
  t.match(await pantry('verify', origin), /hold/)
  await visit(page, `${origin}/verify?receipt=${begun.data.id}`)
  await picture(page, 'verify')
  // Somebody with the database gives themselves another card.
  await sql(`update draws set result = jsonb_set(result, '{pack}', '"forged"') where id = '${begun.data.id}'`)
  await t.rejects(script(), { message: /Command failed/ }, 'the script finds a forged row')
  await t.rejects(pantry('verify', origin), { code: 1 }, 'so does the command')
})
