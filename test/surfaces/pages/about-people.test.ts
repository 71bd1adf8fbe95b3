import t from 'tap'
import { admitsEveryone } from '../../../core/access/index.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { makeCallers } from '../../support/callers.ts'
import { registryOf } from '../../support/registry.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { registry } = await registryOf()
const aboutPeople = registry.surfaces.filter(
  ({ kind, access, requiresConsent }) => kind === 'page' && requiresConsent && admitsEveryone(access)
)

t.test('search engines are to keep no page about people, and auctions alone among those that name people', t => {
  t.ok(aboutPeople.some(({ id }) => id === 'pages/organisations'))
  for (const { id, page } of aboutPeople) t.equal(page?.isIndexed, id.startsWith('pages/auctions/'), id)
  t.end()
})

t.test('what they are not to keep says so, and is in no sitemap; live auctions are in one, and no card is', async t => {
  const { url: databaseUrl } = await bundledDatabase(t)
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
  const { get } = served
  const { prepare } = await makeCallers(t, databaseUrl, served)
  const [read, bid] = ['market/auction', 'market/auction/bids.post'].map(id => registry.byId.get(id))
  if (read === undefined || bid === undefined) throw new Error('There are no auctions.')
  const [live, paid] = ['3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b12', '3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b13']
  for (const [surface, id] of [
    [bid, live],
    [read, paid]
  ] as const)
    await prepare(surface, { ...surface.examples[0]!, url: `/api/auctions/${id}` })
  const robots = await (await get('/robots.txt')).text()
  const listed = [...robots.matchAll(/^Sitemap: https?:\/\/[^/]+(\S+)/gm)].map(([, path = '']) => path)
  t.same(listed.sort(), ['/sitemap-auctions.xml', '/sitemap-sets.xml', '/sitemap.xml'])
  const paths: string[] = []
  for (const path of listed)
    paths.push(...((await (await get(`${path}?format=json`)).json()) as { urls: readonly string[] }).urls)
  t.same(
    paths.filter(path => /^\/auctions\/./.test(path)),
    [`/auctions/${live}`]
  )
  t.same(
    paths.filter(path => /^\/(?:product|u)\/|op01-001/i.test(path)),
    [],
    'neither people nor cards'
  )
  const sitemap = await (await get('/sitemap.xml')).text()
  for (const [path, isKept] of [
    ['/bridge', false],
    ['/organisations', false],
    ['/guides', true]
  ] as const) {
    const { status, headers } = await get(path)
    t.equal(status, 200)
    t.equal(headers.get('x-robots-tag'), isKept ? null : 'noindex', path)
    t.equal(sitemap.includes(`${path}<`), isKept, `${path} in the sitemap`)
  }
})
