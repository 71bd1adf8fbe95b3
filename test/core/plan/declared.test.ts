import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { orderEntries } from '../../../core/corpus/select.ts'
import { compilePager } from '../../../core/kinds/collection/page.ts'
import { generationOf, serveGeneration, type Served } from '../../support/serve-root.ts'

const archive = join(packageFolder, 'test/fixture/archive')
const events = '/api/v1/archive/events'

type Body = Readonly<{
  data: { returned: number; events: readonly { id: string }[]; letters: readonly object[] }
  error?: { code: string; details: { field: string } }
  _meta: { endpoint: string; next_link: string | null; deprecation: object | null }
}>

async function serveArchive(
  t: Test,
  root = archive
): Promise<Served & { json: (path: string) => Promise<{ status: number; headers: Headers; body: Body }> }> {
  const served = await serveGeneration(t, await generationOf(t, [root]))
  return {
    ...served,
    json: async path => {
      const answer = await served.get(path)
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body }
    }
  }
}

const idsOf = ({ data }: Body): string[] => data.events.map(({ id }) => id)
const linkTo = (headers: Headers, rel: string): string | undefined =>
  new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1]

t.test('a reader follows the next link to the end, with filters and formats', async t => {
  const { json, get } = await serveArchive(t)
  const first = await json(`${events}?limit=2&until=1904`)
  t.same(idsOf(first.body), ['light', 'storm'])
  const next = first.body._meta.next_link ?? ''
  t.equal(linkTo(first.headers, 'next'), next, 'the header and the body link to the same page')
  t.match(next, /^\/api\/v1\/archive\/events\?.*until=1904/)
  const second = await json(next)
  t.same(idsOf(second.body), ['school'], 'the filter holds on every page')
  t.equal(second.body._meta.next_link, null)
  t.equal(linkTo(second.headers, 'next'), undefined)
  const text = await get(`${events}?limit=2&format=txt`)
  t.match(linkTo(text.headers, 'next') ?? (await text.text()), /format=txt/, 'every form links to its next page')
})

t.test('a cursor that no page gave is refused by name', async t => {
  const { json } = await serveArchive(t)
  const of = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const bad of [
    'x',
    of({}),
    of([1901]),
    of([1901, 5]),
    of([1901, 'storm', 1]),
    of(['x', 'storm']),
    of([{ a: 1 }, 'x']),
    of([null, 'x']),
    of([1901, null]),
    `${of([1901, 'storm'])}=`,
    encodeURIComponent('é')
  ]) {
    const { status, body } = await json(`${events}?cursor=${bad}`)
    t.match([status, body.error?.code, body.error?.details.field], [400, 'INVALID_INPUT', 'cursor'], bad)
  }
  t.equal((await json(`${events}?cursor=`)).status, 400, 'an empty cursor is none')
})

t.test('what is added meanwhile moves no page', async t => {
  const folder = t.testdir()
  cpSync(archive, folder, { recursive: true })
  const before = await serveArchive(t, folder)
  const next = (await before.json(`${events}?limit=2`)).body._meta.next_link ?? ''
  const file = join(folder, 'corpora/events/entries.jsonl')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/.*"storm".*\n/, '') +
      '{"id": "first", "title": "Before all", "year": 1800}\n{"id": "bell", "title": "The bell", "year": 1902}\n'
  )
  const after = await serveArchive(t, folder)
  t.same(
    idsOf((await after.json(next)).body),
    ['bell', 'school'],
    'the entry that the cursor came from may even be gone'
  )
})

t.test('all pages together are the whole list, whatever it is sorted by', async t => {
  const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', 'é'), fc.constant(null))
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({ id: fc.stringMatching(/^[a-z]{1,3}$/), a: value, b: value }, { requiredKeys: ['id'] }),
        { selector: ({ id }) => id, maxLength: 12 }
      ),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom('cursor', 'offset'),
      (entries, size, page) => {
        const order = ['-a', 'b']
        const sorted = orderEntries(entries, order, 'id')
        const turn = compilePager(
          page,
          { key: 'id', schema: { properties: { id: { type: 'string' } }, required: ['id'] } },
          order
        )
        const seen: unknown[] = []
        for (let query: Record<string, string | number> = {}, left = 20; left > 0; left--) {
          const { entries: shown, next } = turn(sorted, size, query)
          seen.push(...shown)
          if (next === undefined) break
          const given = new URLSearchParams(next).get(page) ?? ''
          query = { [page]: page === 'offset' ? Number(given) : given }
        }
        t.same(seen, sorted)
      }
    ),
    { numRuns: 100 }
  )
})

t.test('a field that refers to another part of its schema is sorted by', t => {
  const entries = [{ id: 'a', year: 1 }, { id: 'b', year: 2 }, { id: 'c' }, { id: 'd' }]
  for (const $ref of ['#/definitions/year', '#/$defs/year', '#/properties/age']) {
    const schema = {
      definitions: { year: { type: 'integer' } },
      $defs: { year: { type: 'integer' } },
      properties: { id: { type: 'string' }, age: { type: 'integer' }, year: { $ref } },
      required: ['id']
    }
    const turn = compilePager('cursor', { key: 'id', schema }, ['year'])
    const after = (cursor: string): unknown => turn(entries, 2, { cursor }).entries
    t.same(after(new URLSearchParams(turn(entries, 2, {}).next).get('cursor') ?? ''), entries.slice(2), $ref)
    t.same(
      after(new URLSearchParams(turn(entries, 3, {}).next).get('cursor') ?? ''),
      entries.slice(3),
      `${$ref}, where it is absent`
    )
    t.throws(
      () => after(Buffer.from('["1","a"]').toString('base64url')),
      { code: 'INVALID_INPUT' },
      `${$ref} is checked`
    )
  }
  t.end()
})

t.test('an offset skips entries, and beyond the end there are none', async t => {
  const { get } = await serveArchive(t)
  const of = async (query: string): Promise<{ ids: string[]; next: string | undefined }> => {
    const answer = await get(`/api/v1/archive/persons${query}`)
    return {
      ids: ((await answer.json()) as { persons: { id: string }[] }).persons.map(({ id }) => id),
      next: linkTo(answer.headers, 'next')
    }
  }
  t.same(
    await of(''),
    { ids: ['ada-brook', 'jon-reed'], next: '/api/v1/archive/persons?offset=2' },
    'a bare answer links too'
  )
  t.same(await of('?offset=2'), { ids: ['mary-reed'], next: undefined })
  t.same(await of('?offset=1000'), { ids: [], next: undefined })
})

t.test('an alias gives the same answer and names the path to prefer', async t => {
  const { json } = await serveArchive(t)
  const [own, alias] = [await json(events), await json('/api/v1/archive/what-happened')]
  t.same(alias.body.data, own.body.data)
  t.equal(linkTo(alias.headers, 'canonical'), events)
  t.equal(linkTo(own.headers, 'canonical'), undefined)
  t.match(alias.body._meta.next_link, /^\/api\/v1\/archive\/what-happened\?cursor=/)
})

t.test('a redirect fills its location', async t => {
  const { get, json } = await serveArchive(t)
  const moved = await get('/api/v1/archive/mail/st%C3%B6rm')
  t.equal(moved.status, 308)
  t.equal(moved.headers.get('location'), '/api/v1/archive/letters/st%C3%B6rm')
  t.equal((await json((await get('/api/v1/archive/mail/storm')).headers.get('location') ?? '')).status, 200)
})

t.test('a path with doubled slashes leads to the one without, and fails in the shape of the API', async t => {
  const { get, json } = await serveArchive(t)
  for (const [path, plain] of [
    [`/${events}?limit=2`, `${events}?limit=2`],
    [`${events.replace('archive', '/archive')}//`, events]
  ] as const) {
    const moved = await get(path)
    t.equal(moved.status, 308, path)
    t.equal(moved.headers.get('location'), plain)
  }
  t.match(await json('//api/v1//nothing'), {
    status: 404,
    body: { data: { suggestions: Object }, error: { code: 'NOT_FOUND' }, _meta: { endpoint: '//api/v1//nothing' } }
  })
  t.equal((await get('//example.org/api/v1/')).status, 404, 'another host is no path of this one')
  t.end()
})

t.test('a deprecated surface says so wherever somebody looks', async t => {
  const { json, get } = await serveArchive(t)
  const { headers, body } = await json('/api/v1/archive/post')
  t.equal(headers.get('deprecation'), `@${Date.UTC(2026, 10, 22) / 1000}`)
  t.equal(headers.get('sunset'), 'Mon, 22 Nov 2027 00:00:00 GMT')
  t.equal(linkTo(headers, 'successor-version'), '/api/v1/archive/letters')
  t.equal(linkTo(headers, 'deprecation'), '/api/v1/manifest')
  t.same(body._meta.deprecation, {
    date: '2026-11-22',
    sunset: '2027-11-22',
    successor: '/api/v1/archive/letters',
    reason: 'The letters have one path.'
  })
  const openapi = (await (await get('/api/openapi.json')).json()) as {
    paths: Record<string, { get: { deprecated?: boolean; description: string; responses: object } }>
  }
  t.equal(openapi.paths['/api/v1/archive/post']?.get.deprecated, true)
  t.match(openapi.paths['/api/v1/archive/post']?.get.responses, {
    200: { headers: { Deprecation: { $ref: /Deprecation/ }, Sunset: { $ref: /Sunset/ } } }
  })
  t.notMatch(openapi.paths['/api/v1/archive/letters']?.get.responses, { 200: { headers: { Deprecation: {} } } })
  for (const path of ['/api/openapi.json', '/api/v1/tools', '/llms.txt'])
    t.match(
      await (await get(path)).text(),
      'Deprecated since 2026-11-22, ends on 2027-11-22: The letters have one path. Use /api/v1/archive/letters.',
      path
    )
  const page = await (await get('/api/v1/archive/post?format=html')).text()
  t.match(page, 'Deprecated since 2026-11-22, ends on 2027-11-22: The letters have one path.', 'the page of people')
  t.match(page, 'Use this instead: <a href="/api/v1/archive/letters"><code>/api/v1/archive/letters</code></a>')
  t.same((await json('/api/v1/archive/letters')).headers.get('deprecation'), null)
})
