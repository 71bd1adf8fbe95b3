// test: long, alone. It opens the pages of accounts and auctions in a real browser, as each who may.
import t from 'tap'
import { admitsEveryone } from '../../core/access/index.ts'
import { seedAuctions } from '../../surfaces/market/seed.ts'
import { People } from '../../surfaces/people/people.ts'
import { seedAccounts } from '../../surfaces/people/seed.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { noBrowser, openBrowser } from '../support/chromium.ts'
import { databaseAt } from '../support/database.ts'
import { inTurns } from '../support/effort.ts'
import { keepSheet, lookAtPage, type Look, type Seen } from '../support/look-at-page.ts'
import { pageExamples } from '../support/page-examples.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

t.test('pages of accounts and auctions, as the people who see them', { skip: noBrowser ?? false }, async t => {
  const { url: databaseUrl } = await bundledDatabase(t)
  const database = await databaseAt(t, databaseUrl)
  const seeded = await seedAccounts(database)
  const [seller, buyer] = await Promise.all(
    [seeded.hidden_username, seeded.public_username].map(
      async name => (await new People(database).byName(name))?.id ?? ''
    )
  )
  const auctions = await seedAuctions(database, seller ?? '', buyer ?? '')
  const { url, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
  const origin = url.replace('127.0.0.1', 'localhost')
  const who = {
    buyer: seeded.session_cookie,
    seller: seeded.seller_cookie,
    admin: seeded.admin_cookie,
    anonymous: undefined
  }
  const own = pageExamples(registry)
    .filter(({ surface: { access } }) => !admitsEveryone(access))
    .flatMap(({ surface: { id, access }, example: { url: path } }): Look[] => {
      const [as, cookie]: readonly [string, string] = access.includes('user')
        ? ['seller', who.seller]
        : ['admin', who.admin]
      return [{ origin, path, name: `${as}-${id.replaceAll('/', '-')}`, status: 200, cookie }]
    })
  const ofAuctions = Object.entries(auctions).flatMap(([state, id]) =>
    Object.entries(who).map(([as, cookie]): Look => ({
      origin,
      path: `/auctions/${id}`,
      name: `${as}-auction-${state}`,
      status: state === 'draft' && as !== 'seller' && as !== 'admin' ? 404 : 200,
      cookie,
      screens: [
        [320, 'light'],
        [1280, 'dark']
      ]
    }))
  )
  const others = [
    `/auctions/${auctions.live_english}/read`,
    `/u/${seeded.public_username}/trust`,
    '/bridge?a=u%3Amarigold&b=u%3Amarigold',
    '/cards/op-op01-001-en/market'
  ].map((path, place): Look => ({ origin, path, name: `anonymous-${place}`, status: 200 }))
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const seen: Seen[] = []
  const looks = inTurns([...own, ...ofAuctions, ...others])
  for (const look of looks) seen.push(...(await lookAtPage(t, browser, look)))
  t.ok(looks.length > 0 && seen.length >= looks.length, `${seen.length} pictures`)
  keepSheet('signed-in', seen)
})
