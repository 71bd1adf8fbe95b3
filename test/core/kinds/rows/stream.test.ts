// test: slow.
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import t from 'tap'
import { beginAnswer } from '../../../../bin/ask.ts'
import type { JsonSchema } from '../../../../core/canonical/json.ts'
import { toolsOf } from '../../../../core/discovery/tool-catalogue.ts'
import { compileAsk } from '../../../../core/plan/generation.ts'
import { noopTracer } from '../../../../core/plan/request.ts'
import { pantry } from '../../../support/command-line.ts'
import { gazetteer } from '../../../support/registry.ts'
import { serveGeneration } from '../../../support/serve-root.ts'
import { addPlaces, begin, bodyOf, most, path, serveManyPlaces } from './many-places.ts'
import { planRequest } from '../../../support/plan-request.ts'

const { database, url, faults, generation, batches, served } = await serveManyPlaces(t)
const { get, registry } = served
const chained = await serveGeneration(t, generation, { direct: false })

/** Reads all pages of a list one after the other, and gives back what they said. */
async function pagesOf(query: string): Promise<readonly string[]> {
  const pages: string[] = []
  let next: string | undefined = `${path}?${query}&limit=100`
  while (next !== undefined) {
    const answer: Response = await get(next)
    pages.push(await answer.text())
    next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return pages
}

const allOf = async (query: string): Promise<string> => await (await get(`${path}?${query}&all=true`)).text()

t.test('all rows are those of all pages, in their order, with ties and nulls', async t => {
  for (const sort of ['name', 'population', '-population', 'height_m', '-height_m', '-surveyed_at']) {
    const query = `fields=name,population,height_m&sort=${sort}&format=ndjson`
    const all = await allOf(query)
    t.equal(all.split('\n').length, most + 1, sort)
    t.ok(all === (await pagesOf(query)).join(''), sort)
  }
  const ids = (await allOf('fields=id&format=csv')).trim().split('\r\n').slice(1)
  t.equal(new Set(ids).size, most)
})

t.test('filters, words and chosen members are those of a page', async t => {
  for (const query of ['kind=town', 'kinds=town,hamlet&max_population=20', 'q=699', 'part=nowhere']) {
    const asked = `${query}&fields=name,kind&format=csv`
    const [first = '', ...others] = await pagesOf(asked)
    const all = await allOf(asked)
    t.ok(all === [first, ...others.map(page => page.slice(page.indexOf('\n') + 1))].join(''), query)
  }
  t.equal(await allOf('part=nowhere&fields=name&format=csv'), 'id,name\r\n')
  t.equal(await allOf('part=nowhere&format=ndjson'), '')
})

t.test('the headers are those of a list, without a length and a tag; HEAD has them and reads no row', async t => {
  const target = `${path}?all=true&fields=name&sort=-name`
  for (const one of [served, chained]) {
    const answer = await begin(one, target, { accept: 'text/csv' })
    await bodyOf(answer)
    t.match(answer.headers, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="places.csv"',
      'transfer-encoding': 'chunked',
      'cache-control': /^public, max-age=/,
      vary: 'Accept, Accept-Encoding',
      link: /^<\/api\/v1\/places>; rel="self"/,
      'ratelimit-remaining': /^\d+$/,
      'x-content-license': 'CC0-1.0',
      'content-length': undefined,
      etag: undefined
    })
    const read = batches.length
    const head = await one.get(target, { method: 'HEAD', headers: { Accept: 'text/csv' } })
    t.equal(head.status, 200)
    for (const name of ['content-type', 'content-disposition', 'cache-control', 'vary', 'link', 'content-length'])
      t.equal(head.headers.get(name) ?? undefined, answer.headers[name], name)
    t.equal(batches.length, read, 'no row was read')
  }
})

t.test('the coding is negotiated, and what was read is sent at once', async t => {
  const target = `${path}?all=true&format=csv&fields=name`
  const plain = await bodyOf(await begin(served, target))
  for (const [coding, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync]
  ] as const) {
    const answer = await begin(served, target, { 'accept-encoding': coding })
    t.equal(answer.headers['content-encoding'], coding)
    const coded = await buffer(answer)
    t.ok(coded.length < plain.length / 2)
    t.ok(decode(coded).toString() === plain, coding)
  }
  const request = { method: 'GET', url: target, headers: { 'accept-encoding': 'gzip' } }
  const { stream } = await beginAnswer(generation, request)
  const parts: Buffer[] = []
  for await (const part of stream ?? []) {
    parts.push(part as Buffer)
    const seen = gunzipSync(Buffer.concat(parts), { finishFlush: constants.Z_SYNC_FLUSH }).toString()
    if (seen !== '') {
      t.match(seen, /^id,name\r\n/)
      break
    }
  }
  t.ok(parts.length <= 2, 'the first bytes wait for no others')
})

t.test('a view is sent like a table, from a surface with other formats and another most', async t => {
  const harbours = await (await get(`${path}/harbours?all=true&format=ndjson`)).text()
  t.match(harbours, /^\{"id":"\d+","name":"Place 0"\}\n/)
  t.equal(harbours.split('\n').length, most / 2 + 1)
  t.match(await (await get(`${path}/index?all=true`)).json(), { error: { details: { allowed: ['csv'] } } })
  t.match(await (await get(`${path}/index?all=true&format=csv`)).json(), {
    error: { details: { maximum: 3, filters: ['part', 'kinds', 'min_population'] } }
  })
})

t.test('what does not go together is refused before any row is read', async t => {
  const read = batches.length
  for (const [query, field, message] of [
    ['', 'format', 'All entries can be had as `csv` or `ndjson`.'],
    ['&format=html', 'format', 'All entries can be had as `csv` or `ndjson`.'],
    ['&format=csv&limit=5', 'limit', '`all` asks for every entry, so there is no `limit` with it.'],
    ['&format=csv&cursor=WyJhIiwiMSJd', 'cursor', '`all` asks for every entry, so there is no `cursor` with it.'],
    ['&format=csv&kinds=city', 'kinds', /town/],
    ['&format=csv&fields=words', 'fields', /no member `words`/]
  ] as const) {
    const answer = await get(`${path}?all=true${query}`)
    t.equal(answer.status, 400, query)
    t.match(await answer.json(), { error: { code: 'INVALID_INPUT', message, details: { in: 'query', field } } }, query)
  }
  t.equal((await get(`${path}?all=yes&format=csv`)).status, 400)
  const ignored = (await get(`${path}/by-id/1?all=true`)).headers.get('x-ignored-parameters')
  t.equal(ignored, 'all', 'a surface without `stream` has no `all`')
  t.equal(batches.length, read)
  t.equal((await get(`${path}?all=false&format=csv&limit=1`)).status, 200)
})

t.test('more rows than the most are refused, and the filters are named', async t => {
  await addPlaces(database, most + 1, most + 1_001)
  const read = batches.length
  for (const method of ['GET', 'HEAD']) t.equal((await get(`${path}?all=true&format=csv`, { method })).status, 400)
  t.match(await (await get(`${path}?all=true&format=csv`)).json(), {
    error: {
      message: /^More than 6000 entries are selected, .* Please select fewer with `kind`, `has_harbour`, .*, `q`, or/,
      details: { field: 'all', maximum: 6_000, filters: ['kind', 'has_harbour'] }
    }
  })
  t.equal(batches.length, read)
  t.equal((await get(`${path}?all=true&format=csv&kind=town&fields=name`)).status, 200)
  await database.bulk.raw('delete from places where id = ?', [most + 1_001])
  t.equal((await allOf('fields=name&format=csv')).split('\r\n').length, 6_000 + 2, 'the most is allowed')
  await database.bulk.raw('delete from places where id > ?', [most])
})

t.test('the command line writes all rows as well', async t => {
  const env = { DATABASE_URL: url }
  const target = `${path}?all=true&format=csv&fields=name&sort=name`
  const { code, stdout, stderr } = await pantry(['get', target, '--root', gazetteer, '--include'], env)
  t.equal(code, 0, stderr)
  const [head = '', body] = stdout.split('\r\n\r\n')
  t.match(head, /^HTTP\/1\.1 200 OK\r\n[^]*Content-Disposition: attachment; filename="places\.csv"/)
  t.ok(body === (await (await get(target)).text()))
  const traced = await pantry(['trace', target, '--root', gazetteer, '--format', 'json'], env)
  t.match(JSON.parse(traced.stdout), { status: 200, bytes: Buffer.byteLength(body ?? '') })
})

t.test('the contract describes it; tools and other surfaces are not offered it', async t => {
  const contract = (await (await get('/api/openapi.json')).json()) as {
    paths: Record<string, { get: { parameters: { name: string; description: string; schema: JsonSchema }[] } }>
  }
  const named = (at: string) => contract.paths[at]?.get.parameters.find(({ name }) => name === 'all')
  t.match(named(path), { schema: { type: 'boolean', default: false } })
  t.match(named(path)?.description, /`csv` or `ndjson`, without `limit` and `cursor`, and at most 6000/)
  t.equal(named(`${path}/by-id/{id}`), undefined)
  const tool = toolsOf(registry).find(({ surface }) => surface.id === 'places')
  t.ok(tool?.parameters.some(({ name }) => name === 'limit'))
  t.notOk(tool?.parameters.some(({ name }) => name === 'all'))
  const asked = await compileAsk(() => generation, noopTracer)(planRequest('/asking'))(`${path}?all=true&format=csv`)
  t.match(asked, { status: 400, body: /cannot ask another one for all entries/ })
})

t.test('a page links to all of its rows', async t => {
  const page = await (await get(`${path}?format=html&kind=town&sort=name&limit=2`)).text()
  const link = /<a download href="([^"]*)">All entries as a file<\/a>/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  t.equal(link, `${path}?kind=town&sort=name&format=csv&all=true`)
  t.equal((await (await get(`${link}&fields=name`)).text()).split('\r\n').length, 1 + Math.floor(most / 3) + 1)
  t.notMatch(await (await get(`${path}/by-id/1?format=html`)).text(), /All entries/)
  t.same(faults, [])
})
