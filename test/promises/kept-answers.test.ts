import t from 'tap'
import { joinTables } from '../../bin/roots.ts'
import { importSource } from '../../surfaces/importer.ts'
import { selfHash, type Document } from '../surfaces/cards/recompute.ts'
import { plain, writeRows } from '../surfaces/import/rows-on-disk.ts'
import { testDatabase } from '../support/database.ts'
import { registryOf } from '../support/registry.ts'
import { scratchFolder } from '../support/scratch.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

/** A path of every surface whose answers are kept for as long as the version of what they follow from is the same. */
const paths: Readonly<Record<string, string>> = {
  'universal/games': '/api/v1/universal/games',
  'universal/game': '/api/v1/universal/game/lan',
  'universal/sets': '/api/v1/universal/sets/lan',
  'universal/set': '/api/v1/universal/set/ab1',
  'universal/card': '/api/v1/universal/card/lan-ab1-001-en',
  'prices/game': '/api/v1/prices/games/one-piece',
  'prices/set': '/api/v1/prices/games/one-piece/sets/op01',
  'cards/face': '/api/v1/cards/lan-ab1-001-en/face?size=thumb&format=json',
  'prices/card': '/api/v1/prices/games/one-piece/sets/op01/cards/op01-001',
  'sets/completeness': '/api/v1/sets/completeness',
  'sets/newest': '/api/v1/sets/newest',
  'sets/showcase': '/api/v1/sets/showcase',
  'sitemap-sets': '/sitemap-sets.xml?format=json',
  'directory/artists': '/api/v1/artists',
  'search/values': '/api/v1/search/values?game=one-piece',
  'directory/budget': '/api/v1/budget',
  'directory/datasets': '/api/v1/datasets',
  'play/meta': '/api/v1/play/meta',
  coverage: '/api/v1/coverage',
  'coverage/hunt': '/api/v1/coverage/hunt',
  'coverage/history': '/api/v1/coverage/history'
}

const { database, url } = await testDatabase(t)
const folder = scratchFolder(t)
/** A set of a game with a guide. */
const guided = plain('beta')
await importSource(
  database,
  {
    ...guided,
    games: ['op'],
    reader: { ...guided.reader, map: { ...guided.reader?.map, game: { const: 'op' } } }
  } as typeof guided,
  { folder: writeRows(scratchFolder(t), [{ id: 'x', number: 'OP01-001', set: 'OP01' }]) }
)
const load = async (numbers: readonly string[]) =>
  await importSource(database, plain('alpha'), {
    folder: writeRows(
      folder,
      numbers.map(number => ({ id: number, number }))
    ),
    allowWithdraw: 100
  })
await load(['001', '002', '010'])
const serve = async () => await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
const { get } = await serve()

/** A body without what belongs to one request. */
const stable = (text: string): string =>
  text
    .replaceAll(/req_[\w-]{16}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replaceAll(/"@self_hash":"[0-9a-f]{64}"|"unix_epoch_seconds":\d+/g, 'TIME')
const ask = async (path: string, headers: Record<string, string> = { 'Accept-Encoding': 'identity' }) => {
  const response = await get(path, { headers })
  return { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() }
}

t.test('every surface with a version is asked here', async t => {
  const { roots } = await registryOf()
  const versioned = [...joinTables(roots)].filter(([, code]) => 'version' in code).map(([id]) => id)
  t.same(versioned.map(id => id.replace(/\.\w+$/, '')).sort(), Object.keys(paths).sort())
})

t.test('a kept answer says the same as the first, in every coding, with the time of its own request', async t => {
  for (const path of Object.values(paths)) {
    const first = await ask(path)
    t.equal(first.status, 200, path)
    const again = await ask(path)
    t.equal(stable(again.text), stable(first.text), path)
    t.equal(again.etag, first.etag)
    if (path.startsWith('/api/')) t.not(again.text, first.text, 'it is another moment')
    t.equal(stable((await ask(path, { 'Accept-Encoding': 'gzip' })).text), stable(first.text))
    t.equal((await ask(path, { 'If-None-Match': first.etag })).status, 304)
    const document = JSON.parse(again.text) as Document
    if ('@self_hash' in document) t.equal(document['@self_hash'], selfHash(document))
  }
})

t.test('an undeclared query parameter is no reason to make it again, a declared one is', async t => {
  const path = paths['directory/artists'] ?? ''
  const { etag } = await ask(path)
  t.equal((await ask(`${path}?zz=1`)).etag, etag)
  t.match(JSON.parse((await ask(`${path}?limit=3`)).text), { data: { filters_applied: { limit: 3 } } })
})

t.test('after an import the answers are those of a service that has just started', async t => {
  const before = new Map<string, string>()
  for (const path of Object.values(paths)) before.set(path, (await ask(path)).etag)
  await load(['001', '003', '010', '2'])
  const fresh = await serve()
  for (const path of Object.values(paths)) {
    const now = await ask(path)
    t.equal(stable(now.text), stable(await (await fresh.get(path)).text()), path)
    if (path.includes('/universal/')) t.not(now.etag, before.get(path), path)
  }
  const { cards } = JSON.parse((await ask(paths['universal/set'] ?? '')).text) as { cards: { card_number: string }[] }
  t.same(
    cards.map(card => card.card_number),
    ['001', '2', '003', '010']
  )
})
