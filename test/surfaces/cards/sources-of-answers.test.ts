import t from 'tap'
import { openDatabase } from '../../../core/database/database.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const database = await openDatabase({ url, dataDir: '', log: silent })
t.teardown(() => database.close())
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))

type Answer = Readonly<{
  '@sources'?: readonly string[]
  '@content_hash'?: string
  _meta?: { sources: readonly string[]; source_license: readonly string[] }
  data: { card: { sku: string } }
}>
const read = async (path: string, init?: RequestInit): Promise<Answer> =>
  (await (await get(path, init)).json()) as Answer
const sourcesOf = (answer: Answer): readonly string[] | undefined => answer['@sources'] ?? answer._meta?.sources

/** Reads from the cards themselves which sources observed those of a condition. */
async function observed(where: string, ...values: readonly string[]): Promise<readonly string[]> {
  const { rows } = await database.bulk.raw<{ rows: { sources: string[] }[] }>(
    `select array_agg(distinct source collate "C" order by source collate "C") as sources from cards, unnest(sources) as source where ${where}`,
    values
  )
  return rows[0]?.sources ?? []
}

t.test('an answer that is made of cards names the sources that observed them', async t => {
  const ofSet = await observed("game = 'op' and lower(set_code) = 'op01'")
  const ofGame = await observed("game = 'op'")
  const ofAll = await observed('true')
  t.ok(ofAll.length > ofGame.length && ofGame.length > 0, ofAll.join(' '))
  for (const [path, expected] of [
    ['/api/v1/universal/set/op01?game=op', ofSet],
    ['/api/v1/universal/sets/op', ofGame],
    ['/api/v1/universal/game/op', ofGame],
    ['/api/v1/universal/games', ofAll],
    ['/api/v1/prices/games/one-piece', ofGame],
    ['/api/v1/prices/games/one-piece/sets/op01', ofSet]
  ] as const)
    t.same(sourcesOf(await read(path)), expected, path)
  for (const path of [
    '/api/v1/universal/set/op01?game=op',
    '/api/v1/universal/game/op',
    '/api/v1/universal/card/op-op01-001-en'
  ]) {
    const document = await read(path)
    const found = await read(`/api/v1/federation/identify/${document['@content_hash'] ?? ''}`)
    t.same(sourcesOf(found), sourcesOf(document), `what the hash of ${path} names has its sources`)
  }
  t.same(
    sourcesOf(await read(`/api/v1/federation/identify/${'0'.repeat(64)}`)),
    ['self'],
    'nothing has no other source'
  )
})

t.test('cards that are drawn, and the newest sets, name their sources', async t => {
  const drawn = await read('/api/v1/cards/random')
  t.same(sourcesOf(drawn), await observed('sku = ?', drawn.data.card.sku))
  const newest = (await read('/api/v1/sets/newest?limit=3')) as unknown as {
    data: { sets: { game: string; code: string }[] }
  }
  const all = await Promise.all(
    newest.data.sets.map(({ game, code }) => observed('game = ? and lower(set_code) = ?', game, code))
  )
  t.same(sourcesOf(newest as unknown as Answer), [...new Set(all.flat())].sort())
})

t.test('each source that these answers name is listed', async t => {
  for (const id of await observed('true')) t.equal((await get(`/api/v1/sources/${id}`)).status, 200, id)
})
