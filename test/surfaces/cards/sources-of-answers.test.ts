import t from 'tap'
import { openDatabase } from '../../../core/database/database.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
t.teardown(() => database.close())
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))

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

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body)
})

t.test('what is found, asked for by number or counted names the sources of what is shown', async t => {
  const ofAll = await observed('true')
  const ofOnePiece = await observed("game = 'op'")
  const ofOne = await observed("game = 'op' and lower(card_number) = 'op01-001'")
  for (const [path, expected, init] of [
    ['/api/v1/search/cards?game=op&q=OP01-001', ofOne],
    ['/api/v1/search/numbers?q=OP01-001', ofOne],
    ['/api/v1/search/everything?game=op&q=OP01-001', ofOne],
    ['/api/v1/prices/games/one-piece/sets/op01/cards/001', ofOne],
    ['/api/v1/search/cards?game=op&q=OP99-999', ['self']],
    ['/api/v1/cards/batch', await observed("sku = 'op-op01-001-en'"), post({ skus: ['op-op01-001-en', 'x'] })],
    ['/api/v1/cards/batch', ['self'], post({ skus: ['x'] })],
    ['/api/v1/sets/completeness', ofAll],
    ['/api/v1/coverage', ['self', ...ofAll]],
    ['/api/v1/coverage/history', ['self', ...ofAll]],
    ['/api/v1/coverage/hunt', ['self', ...ofAll]],
    ['/api/v1/play/meta', ['self', ...ofOnePiece]],
    ['/api/v1/artists?game=op', ['self']],
    [
      '/api/v1/play/deck/validate',
      ['caller', 'self', ...ofOne],
      post({ leader_id: 'OP01-001', main_deck_card_ids: [], format: 'standard' })
    ]
  ] as const)
    t.same(sourcesOf(await read(path, init)), expected, path)
})

type Found = Readonly<{
  data: {
    matches?: readonly { sku: string }[]
    names?: readonly { game: string; name: string }[]
    suggestions?: readonly { game: string; name: string; sku: string }[]
    hands?: readonly { works: readonly { sku: string }[] }[]
  }
}>

t.test('names that are found name the sources of the cards that are shown with them', async t => {
  for (const path of [
    '/api/v1/search/names?q=luffy&limit=3',
    '/api/v1/search/suggest?q=pik',
    '/api/v1/artists?limit=3'
  ]) {
    const answer = await read(path)
    const { matches = [], names = [], suggestions = [], hands = [] } = (answer as unknown as Found).data
    const skus = [...matches, ...suggestions, ...hands.flatMap(({ works }) => works)].map(({ sku }) => sku)
    t.ok(skus.length > 0, path)
    const named = new Set(sourcesOf(answer))
    for (const source of await observed(`sku in (${skus.map(() => '?').join(', ')})`, ...skus))
      t.ok(named.has(source), `${path} names ${source}`)
    for (const { game, name } of [...names, ...suggestions])
      for (const source of await observed('game = ? and name = ?', game, name))
        t.ok(named.has(source), `${path} names ${source}, of ${name}`)
    t.notOk(named.has('self'), path)
  }
})

t.test('no answer names a label that cannot be looked up', async t => {
  const known = new Set(await observed('true'))
  let count = 0
  for (const { contract, examples } of registry.surfaces.filter(({ contract }) => contract !== 'bare'))
    for (const { url, method, body, expect, as } of examples)
      if (as === undefined && expect.status === 200 && !/[?&]format=(?!json(&|$))/.test(url)) {
        const response = await get(url, { method, ...(body === undefined ? {} : post(body)) })
        if (response.status !== 200 || !/json/.test(response.headers.get('content-type') ?? '')) continue
        count += 1
        for (const label of sourcesOf((await response.json()) as Answer) ?? []) {
          if (label === 'observations') t.fail(`${method} ${url} (${contract}) names no source`)
          else if (registry.service.sources[label] === undefined && !known.has(label)) {
            t.equal((await get(`/api/v1/sources/${label}`)).status, 200, `${method} ${url}: ${label}`)
            known.add(label)
          }
        }
      }
  t.ok(count > 100, String(count))
})

t.test('draws are made here, from rates whose rights are not ours', async t => {
  for (const path of ['/api/verify/fairness', '/api/verify/receipts']) {
    const { _meta: meta } = await read(path)
    t.match(meta, { sources: ['draws'], source_license: ['noassertion'], license: 'NOASSERTION' }, path)
  }
})

t.test('each source that these answers name is listed', async t => {
  for (const id of await observed('true')) t.equal((await get(`/api/v1/sources/${id}`)).status, 200, id)
})
