import t from 'tap'
import { bundledDatabase } from '../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

type Json = { [name: string]: Json } & Json[] & string

const { url } = await bundledDatabase(t)
const faults: unknown[] = []
const generation = await generationOf(t, ['.'], { databaseUrl: url, faults })
const { get, raw } = await serveGeneration(t, generation)
const read = async (path: string) => (await (await get(path)).json()) as Json
const post = (body: string | Uint8Array<ArrayBuffer>) =>
  get('/api/v1/cards/batch', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })

t.test('a batch answers 200 with no-store, and is refused for its form alone', async t => {
  const answer = await post('{"skus":["op-op01-001-en","junk"]}')
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.match(await answer.json(), { data: { found_count: 1, invalid_count: 1 }, _meta: { license: 'NOASSERTION' } })
  t.match(await (await post('{"skus":["op-op01-001-en","op01\\u0000-001"]}')).json(), {
    data: { found_count: 1, results: [{}, { status: 'invalid_sku', requested_sku: 'op01\u0000-001' }] }
  })
  for (const [body, field] of [
    ['{"skus":[]}', 'skus'],
    ['{}', 'skus'],
    ['{"skus":["a"],"more":1}', 'more'],
    ['{"skus":["a"," "]}', 'skus.1'],
    [`{"skus":["${'a'.repeat(161)}"]}`, 'skus.0']
  ] as const) {
    const refused = await post(body)
    t.equal(refused.status, 400, body.slice(0, 40))
    t.match(await refused.json(), { error: { code: 'INVALID_INPUT', details: { field } } })
  }
  for (const body of [
    '',
    '{',
    '{"skus":["a"],"skus":["b"]}',
    '{"skus":["a"]} x',
    Uint8Array.from([...Buffer.from('{"skus":["'), 0xff, ...Buffer.from('"]}')])
  ])
    t.equal((await post(body)).status, 400)
})

t.test('a batch body may have 131072 bytes and not one more, whether its length is said or not', async t => {
  const bodyOf = (bytes: number) => `{"skus":["op-op01-001-en"]}${' '.repeat(bytes - 27)}`
  t.equal((await post(bodyOf(131_072))).status, 200)
  const refused = await post(bodyOf(131_073))
  t.equal(refused.status, 413)
  t.match(await refused.json(), { error: { code: 'BODY_TOO_LARGE', details: { limit_bytes: 131_072 } } })
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
  const streamed = await raw(
    `POST /api/v1/cards/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}1\r\n{\r\n`
  )
  t.match(streamed, /^HTTP\/1\.1 413 /, 'it is refused while it is sent')
})

t.test('a language that leads to the stored name changes nothing when a header asks for it', async t => {
  const card = (language?: string) =>
    get(
      '/api/v1/universal/card/op-op01-001-ja',
      language === undefined ? {} : { headers: { 'Accept-Language': language } }
    )
  const [plain, english] = [await card(), await card('en')]
  t.equal(english.headers.get('etag'), plain.headers.get('etag'))
  for (const answer of [plain, english]) t.notMatch(answer.headers.get('vary'), /Accept-Language/)
  t.match(await (await get('/api/v1/universal/card/op-op01-001-ja?lang=en')).json(), {
    name: { resolved_lang: 'en', resolved_from: 'preferred' }
  })
  t.equal(
    (
      await get('/api/v1/universal/card/op-op01-001-ja', {
        headers: { 'Accept-Language': 'en', 'If-None-Match': plain.headers.get('etag') ?? '' }
      })
    ).status,
    304
  )
})

t.test('for cards of every bundled game, every edge and link leads to what it says', async t => {
  for (const { target_natural_token: game } of (await read('/api/v1/universal/games'))['games'] as Json[]) {
    const [first, ...sets] = (await read(`/api/v1/universal/sets/${game as Json}`))['sets'] as Json[]
    for (const set of [first, sets[Math.floor(sets.length / 2)], sets.at(-1)]) {
      if (set === undefined) continue
      const { cards } = (await read((set['_links'] as Json)['canonical'] as Json)) as unknown as { cards: Json[] }
      const [item] = cards.slice(Math.floor(cards.length / 3))
      if (item === undefined) continue
      const sku = item['target_natural_token'] as Json
      const card = await read((item['_links'] as Json)['canonical'] as Json)
      t.equal(item['target_hash'], card['@content_hash'], sku)
      for (const name of ['in_set', 'of_game']) {
        const edge = card[name] as Json
        t.equal(
          (await read((edge['_links'] as Json)['canonical'] as Json))['@content_hash'],
          edge['target_hash'],
          `${sku} ${name}`
        )
      }
      const links = card['_links'] as Json
      const dated = await read(links['temporal'] as Json)
      t.equal(dated['@content_hash'], card['@content_hash'])
      t.equal((await read(links['federation'] as Json))['sku'], sku)
      const { data: everything } = (await read(`/api/v1/cards/${sku}/everything`)) as unknown as { data: Json }
      t.match(everything, { card: { sku }, siblings: [{ sku, is_self: true }], history: [] })
      t.equal(
        (everything['siblings'] as Json[]).length,
        cards.filter(other => (other['target_natural_token'] as Json).startsWith(`${sku.split('-', 3).join('-')}-`))
          .length
      )
      t.match(await read(`/api/v1/cards/${sku.toUpperCase()}/evidence`), {
        data: { sku, reference: { amount_gbp: null } }
      })
    }
  }
})

t.test('no fault was logged', t => {
  t.strictSame(faults, [])
  t.end()
})
