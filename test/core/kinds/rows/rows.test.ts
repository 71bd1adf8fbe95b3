import fc from 'fast-check'
import t from 'tap'
import type { JsonObject, JsonSchema } from '../../../../core/canonical/json.ts'
import { orderEntries } from '../../../../core/corpus/select.ts'
import { compileSetFilters } from '../../../../core/kinds/collection/selection.ts'
import { operators } from '../../../../core/kinds/collection/operators/list.ts'
import type { RowsAnswer } from '../../../../core/kinds/rows/manifest.ts'
import { chanceSeed } from '../../../run/chance.ts'
import { testDatabase } from '../../../support/database.ts'
import { gazetteer } from '../../../support/registry.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'
import { migrateRoot } from '../../../support/migrate-root.ts'

const { database, url } = await testDatabase(t, 'empty')
await migrateRoot(database.bulk, gazetteer)
const faults: unknown[] = []
const generation = await generationOf(t, [gazetteer], { databaseUrl: url, faults })
const { get, registry } = await serveGeneration(t, generation)

type Answered = Readonly<{
  status: number
  data: JsonObject & Readonly<{ places: readonly JsonObject[] }>
  next: string | null
  error: Readonly<{ message: string; details: JsonObject }>
}>

async function ask(path: string): Promise<Answered> {
  const answer = await get(path)
  const {
    data,
    error,
    _meta: meta
  } = (await answer.json()) as { data: Answered['data']; error: Answered['error']; _meta: { next_link: string | null } }
  return { status: answer.status, data, error, next: meta.next_link }
}

const search = (query: Readonly<Record<string, string>>): string => `?${new URLSearchParams(query).toString()}`
const names = (rows: readonly JsonObject[]): unknown[] => rows.map(({ name }) => name)

const { places: everything } = (await ask('/api/v1/places?limit=100')).data
const surface = registry.byId.get('places')
const { filters, sort } = surface?.answer as RowsAnswer
const { schema } = registry.corpora.get('places') ?? { schema: {} }

t.test('each value of a column has its JSON type', async t => {
  t.equal(everything.length, 7)
  t.same(everything[0], {
    id: 1,
    name: 'Ashport',
    kind: 'town',
    population: 8200,
    height_m: 4.5,
    founded: '1612-05-01',
    surveyed_at: '2026-03-01T10:00:00.123Z',
    other_names: ['Port Ash'],
    has_harbour: true,
    notes: { ferry: 'daily' }
  })
  t.same((await ask('/api/v1/places/by-id/900719925474099')).data['place'], everything.at(-1))
})

t.test('one row is found by its key, and what is no key is refused', async t => {
  t.match(await ask('/api/v1/places/by-id/4?fields=name'), {
    status: 200,
    data: { island: 'Thule', place: { id: 4, name: 'Dunmere', population: undefined } }
  })
  t.match(await ask('/api/v1/places/by-id/77'), { status: 404, error: { message: 'There is no place `77` here.' } })
  t.match(await ask('/api/v1/places/by-id/Dunmere'), { status: 400, error: { details: { field: 'id' } } })
})

t.test('a column with the key of another row links to the page of that row, and the graph has an edge', async t => {
  const page = await (await get('/api/v1/places/harbours?format=html&limit=1')).text()
  t.match(page, /<td data-label="[^"]+"><a href="\/api\/v1\/places\/by-id\/1\?format=html">1<\/a><\/td>/)
  const graph = (await (await get('/api/v1/graph')).json()) as { edges: object[] }
  t.match(
    graph.edges.filter(edge => 'via' in edge && edge.via === 'field id'),
    [{ from: 'resource:places/harbours', kind: 'cites', to: 'resource:places/place' }]
  )
})

t.test('the links to other formats of a list keep what was asked', async t => {
  const formatsOf = async (path: string) => (await ask(path)).data['formats'] as Readonly<Record<string, string>>
  const asked = '/api/v1/places?kind=town&sort=-population'
  const { csv = '', html = '' } = await formatsOf(asked)
  t.equal(csv, `${asked}&format=csv`)
  t.same(
    (await (await get(csv)).text()).trim().split('\r\n').length - 1,
    (await ask(asked)).data['returned'],
    'the file has the rows that were asked for'
  )
  t.equal((await formatsOf(`${asked}&format=json`))['html'], html)
  t.equal((await formatsOf('/api/v1/places'))['csv'], '/api/v1/places?format=csv')
})

t.test('rows are counted when that is asked', async t => {
  t.match((await ask('/api/v1/places?kind=village')).data, {
    scope: { total_entries_in_corpus: null, total_entries_after_filters: null },
    returned: 2
  })
  t.match((await ask('/api/v1/places?kind=village&limit=1&count=true')).data, {
    scope: { total_entries_in_corpus: 7, total_entries_after_filters: 2 },
    returned: 1
  })
})

t.test('words are searched as PostgreSQL does', async t => {
  for (const [q, found] of [
    ['hollow', ['Birch Hollow', 'East Hollow']],
    ['hollow -birch', ['East Hollow']],
    ['birch or dunmere', ['Birch Hollow', 'Dunmere']],
    ['"hollow birch"', []],
    ["'; drop table places; --", []]
  ] as const)
    t.same(names((await ask(`/api/v1/places${search({ q })}`)).data.places), found, q)
})

t.test('no words make the database report a fault of its own', async t => {
  for (const sign of ['-', '- ', '(-', '-!', '-&-'])
    for (const count of [5, 19, 20, 40, 66])
      for (const end of ['', 'hollow']) {
        const q = sign.repeat(count).slice(0, 200 - end.length) + end
        const { status, error } = await ask(`/api/v1/places${search({ q })}`)
        if (q.split('-').length > 20) t.match([status, error], [400, { details: { field: 'q' } }], q)
        else t.equal(status, 200, q)
      }
  t.equal((await ask(`/api/v1/places${search({ q: '-a '.repeat(66) })}`)).status, 200)
  t.match(await database.health(), { status: 'ok' })
  t.same(faults, [])
})

t.test('a filter takes only values of its field', async t => {
  for (const [query, field] of [
    [{ founded: 'banana' }, 'founded'],
    [{ founded: '2026-02-30' }, 'founded'],
    [{ surveyed_from: '2026-11-25T00:00:00Z' }, 'surveyed_from'],
    [{ id: '1,x' }, 'id'],
    [{ id: '1,' }, 'id'],
    [{ kinds: 'town,city' }, 'kinds'],
    [{ min_population: '1e3' }, 'min_population'],
    [{ has_harbour: 'yes' }, 'has_harbour'],
    [{ sort: 'kind' }, 'sort'],
    [{ cursor: 'WyJub25lIl0' }, 'cursor'],
    [{ fields: 'words' }, 'fields']
  ] as const)
    t.match(await ask(`/api/v1/places${search(query)}`), { status: 400, error: { details: { field } } }, field)
})

t.test('a value beyond a column is refused with the name of the parameter', async t => {
  const cursor = (...position: readonly string[]): string => Buffer.from(JSON.stringify(position)).toString('base64url')
  for (const [query, field] of [
    [{ min_population: '3000000000' }, 'min_population'],
    [{ min_population: '3000000000', kind: 'town', cursor: cursor('Ashport', '1') }, 'min_population'],
    [{ founded: '0000-01-01' }, 'founded'],
    [{ surveyed_from: '0000-01-01', all: 'true', format: 'csv' }, 'surveyed_from'],
    [{ min_population: '1', sort: 'population', cursor: cursor('3000000000', '1') }, 'cursor'],
    [{ cursor: cursor('Ashport', 'x') }, 'cursor']
  ] as const)
    t.match(await ask(`/api/v1/places${search(query)}`), { status: 400, error: { details: { in: 'query', field } } })
  t.same(faults, [])
})

/** A value for each filter, of all that its field has and some that it has not. */
const asked: Readonly<Record<string, readonly string[]>> = {
  kind: ['town', 'village', 'hamlet'],
  has_harbour: ['true', 'false'],
  id: ['1', '2,4', '900719925474099', '8,9'],
  kinds: ['town', 'town,hamlet', 'village,town,hamlet'],
  called: ['ASHPORT', 'dunmere', 'fox 100% hill', 'nowhere'],
  part: ['%', '_', 'h', 'HOLLOW', '\\', "'", 'x'],
  also: ['Port Ash', 'Old Mere', 'Mere'],
  also_part: ['mere', 'PORT', 'none'],
  min_population: ['0', '18', '640', '9000'],
  max_population: ['0', '18', '640', '9000'],
  founded: ['1612-05-01', '1900-02-28', '2000-01-01'],
  founded_until: ['1611-12-31', '1701-01-01', '2000-01-01'],
  surveyed_from: ['2026-03-02', '2026-03-03', '2026-03-06'],
  surveyed_until: ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-05']
}

t.test('filters find the same rows in a table as the same filters find entries in files', async t => {
  t.same(Object.keys(asked).sort(), filters.map(({ name }) => name).sort(), 'each filter is tried')
  t.same(
    operators.map(({ name }) => name).filter(name => !filters.some(({ operation }) => operation === name)),
    ['since'],
    'each operator is tried; `since` is `minimum` for dates'
  )
  const setFilters = compileSetFilters({ schema }, filters)
  const coerced = (name: string, text: string): string | number | boolean =>
    name === 'has_harbour' ? text === 'true' : /population/.test(name) ? Number(text) : text
  const some = fc.record(
    Object.fromEntries(Object.entries(asked).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] }
  )
  await fc.assert(
    fc.asyncProperty(some, async chosen => {
      const query = Object.entries(chosen).flatMap(([name, text]) =>
        text === undefined ? [] : [[name, text] as const]
      )
      const conditions = setFilters(Object.fromEntries(query.map(([name, text]) => [name, coerced(name, text)])))
      const expected = everything.filter(row =>
        conditions.every(({ field, operator, wanted }) =>
          [row[field]].flat().some(value => operator.meets(value, wanted))
        )
      )
      const { data } = await ask(`/api/v1/places${search(Object.fromEntries([...query, ['limit', '100']]))}`)
      t.same(names(data.places), names(expected), JSON.stringify(query))
    }),
    {
      numRuns: 150,
      seed: chanceSeed,
      examples: Object.entries(asked).flatMap(([name, values]) =>
        values.map((value): [Record<string, string>] => [{ [name]: value }])
      )
    }
  )
})

t.test('the pages of every order hold each row once, nulls last', async t => {
  for (const field of sort)
    for (const order of [field, `-${field}`])
      for (const limit of ['1', '2', '3']) {
        const rows: JsonObject[] = []
        let next: string | null = `/api/v1/places${search({ sort: order, limit, has_harbour: 'false' })}`
        while (next !== null && rows.length < 20) {
          const page: Answered = await ask(next)
          rows.push(...page.data.places)
          next = page.next
        }
        // Texts and times are sorted by the database, the latter by microseconds.
        const inland = everything.filter(({ has_harbour: harbour }) => harbour === false)
        t.same(names(rows), names(orderEntries(inland, [order], 'id')), `${order}, ${limit} rows each`)
      }
})

t.test('rows are sorted by their column, also where it is shown as text', async t => {
  const alike = [9, 20, 100].map(id => ({
    id,
    name: 'Same Sound',
    kind: 'hamlet',
    surveyed_at: '2026-03-06T08:00:00Z',
    has_harbour: true
  }))
  await database.bulk('places').insert(alike)
  const ids: unknown[] = []
  let next: string | null = '/api/v1/places/harbours?limit=1&part=same'
  while (next !== null && ids.length < 9) {
    const page: Answered = await ask(next)
    ids.push(...(page.data['entries'] as JsonObject[]).map(({ id }) => id))
    next = page.next
  }
  await database.bulk('places').delete().where({ name: 'Same Sound' })
  t.same(ids, ['9', '20', '100'])
})

t.test('an index of some columns goes on where it ended, and its cursor is of no other order', async t => {
  const first = await ask('/api/v1/places/index')
  t.same(first.data['entries'], [
    { id: 1, name: 'Ashport' },
    { id: 4, name: 'Dunmere' }
  ])
  const second = await ask(first.next ?? '')
  t.same(names(second.data['entries'] as JsonObject[]), ['Birch Hollow', 'Gull_Rock'])
  const third = await ask(second.next ?? '')
  t.same(names(third.data['entries'] as JsonObject[]), ['Fox 100% Hill', 'East Hollow'])
  const last = await ask(third.next ?? '')
  t.same([names(last.data['entries'] as JsonObject[]), last.next], [['Cold Well'], null])
  const cursor = new URLSearchParams(first.next?.split('?')[1]).get('cursor') ?? ''
  t.match(await ask(`/api/v1/places${search({ cursor })}`), { status: 400, error: { details: { field: 'cursor' } } })
})

t.test('a view is read like a table, and any column can be shown as text', async t => {
  const { data } = await ask('/api/v1/places/harbours?limit=3&min_population=0&kinds=town,village')
  t.same(data['entries'], [
    { id: '1', name: 'Ashport' },
    { id: '4', name: 'Dunmere' }
  ])
})

t.test('lists and rows have every format of their kind, and pages of people', async t => {
  const csv = await (await get('/api/v1/places?format=csv&kind=town')).text()
  t.match(csv, /^id,name,kind,[^]*\r\n1,Ashport,town,8200,4\.5,1612-05-01,/)
  t.match(await (await get('/api/v1/places?format=ndjson&limit=2')).text(), /^\{"id":1,[^\n]*\}\n\{"id":2,[^\n]*\}\n$/)
  t.match(
    await (await get('/api/v1/places?format=html')).text(),
    /<th scope="row"><a href="\/api\/v1\/places\/by-id\/1\?format=html">Ashport<\/a><\/th><td class="number" data-label="[^"]+">1<\/td>[^]*<td data-label="[^"]+">Dun Mere, Old Mere<\/td>[^]*<a rel="next" href="\/api\/v1\/places\?format=html&amp;cursor=/
  )
  t.match(await (await get('/api/v1/places/by-id/1?format=html')).text(), /<h1>Ashport<\/h1>[^]*<li>Port Ash<\/li>/)
  const { name, description } = (await (await get('/api/v1/places/by-id/1?format=jsonld')).json()) as Record<
    string,
    string
  >
  t.same([name, description], ['Ashport', 'One place by its number.'])
  t.match(await (await get('/api/v1/places?format=atom')).text(), /<title>Ashport<\/title>/)
})

t.test('the contract says what rows have, and that the database may be away', async t => {
  const contract = (await (await get('/api/openapi.json')).json()) as {
    paths: Record<string, { get: { parameters: { name: string; schema?: JsonSchema }[]; responses: object } }>
  }
  const { parameters, responses } = contract.paths['/api/v1/places']?.get ?? { parameters: [], responses: {} }
  const named = new Map(parameters.map(({ name, schema }) => [name, schema]))
  t.match(named.get('founded'), { type: 'string', format: 'date' })
  t.match(named.get('min_population'), { type: 'integer', minimum: 0 })
  t.match(named.get('sort'), { enum: ['name', '-name', 'population', '-population', 'height_m', '-height_m'] })
  t.ok(['q', 'cursor', 'count', 'limit', 'fields'].every(name => named.has(name)))
  t.ok('503' in responses)
})

t.test('a table that is not as it is declared is a 503, and no fault', async t => {
  await database.bulk.raw('alter table places rename column height_m to height')
  t.match(await ask('/api/v1/places'), { status: 503, error: { message: /not as it is declared/ } })
  t.equal((await ask('/api/v1/places/index')).status, 200, 'who asks for other columns is answered')
  await database.bulk.raw('alter table places rename column height to height_m')
  t.equal((await ask('/api/v1/places')).status, 200)
  t.same(faults, [])
})

t.test('without a database everything else is answered', async t => {
  // What an embedded server of another version left there would not be started.
  t.testdir({})
  const { get } = await serveGeneration(t, await generationOf(t, [gazetteer]))
  t.equal((await get('/api/v1/places')).status, 503)
  t.equal((await get('/api/v1/places/by-id/1')).status, 503)
  t.equal((await get('/api/openapi.json')).status, 200)
})
