import t from 'tap'
import { bundledDatabase } from '../../support/bundled.ts'
import { databaseAt } from '../../support/database.ts'
import { followNext } from '../../support/follow-next.ts'
import { unescaped } from '../../support/markup.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))

t.test('the page of a search by name leads through all that it finds, forwards and back', async t => {
  const {
    data: { summary }
  } = (await (await get('/api/v1/search/names?game=op&q=luffy')).json()) as { data: { summary: { found: number } } }
  const path = '/prices/search'
  const products: string[] = []
  let [query, before]: (string | undefined)[] = ['?q=luffy&game=op', undefined]
  for (let pages = 0; query !== undefined && pages < 10; pages++) {
    const html = await (await get(path + query)).text()
    products.push(...[...html.matchAll(/href="\/product\/([^"]+)"/g)].map(([, sku = '']) => sku))
    t.match(html, `of ${summary.found} numbers with such a name.`)
    const back = unescaped(/rel="prev" href="([^"]+)"/.exec(html)?.[1] ?? '')
    t.equal(back, before ?? '', 'the page before')
    before = query
    const next = /rel="next" href="([^"]+)"/.exec(html)?.[1]
    query = next === undefined ? undefined : unescaped(next)
  }
  t.equal(query, undefined)
  t.equal(new Set(products).size, summary.found)
  t.match(await (await get(`${path}?q=Z`)).text(), '>Z</a>', 'names of one letter')
})

t.test('the search by name leads through all of its pages by Link, with the filters and the fields', async t => {
  const pages = (await followNext(
    get,
    '/api/v1/search/names?game=op&q=luffy&limit=5&attribute.colours=Red&fields=sku'
  )) as {
    data: { matches: Record<string, string>[]; summary: { found: number }; next: string | null }
    _meta: { next_link: string | null }
  }[]
  const skus = pages.flatMap(({ data: { matches } }) => matches.map(({ sku }) => sku))
  t.ok(pages.length > 1, `${pages.length} pages`)
  t.equal(new Set(skus).size, skus.length, 'none is shown twice')
  t.equal(skus.length, pages[0]?.data.summary.found)
  t.ok(pages.every(({ data: { matches } }) => matches.every(one => Object.keys(one).join() === 'sku,reason')))
  t.equal(pages.at(-1)?.data.next, null)
  t.ok(pages.every(({ _meta: meta }) => meta.next_link === null))
})

const page = async (query: Readonly<Record<string, string>>): Promise<Readonly<{ status: number; html: string }>> => {
  const response = await get(`/prices/search?${String(new URLSearchParams(query))}`)
  return { status: response.status, html: await response.text() }
}
const answer = async (query: Readonly<Record<string, string>>): Promise<unknown> =>
  ((await (await get(`/api/v1/search/query?${String(new URLSearchParams(query))}`)).json()) as { data: unknown }).data
const productsOf = (html: string): string[] =>
  [...html.matchAll(/href="\/product\/([^"]+)"/g)].map(([, sku = '']) => sku)

t.test('a query is asked as one, and its pages lead through all that it finds', async t => {
  const { summary } = (await answer({ q: 'luffy -c:green sort:-power', game: 'op' })) as { summary: { found: number } }
  let query: Readonly<Record<string, string>> | undefined = { q: 'luffy -c:green sort:-power', game: 'op' }
  const products: string[] = []
  for (let pages = 0; query !== undefined && pages < 10; pages++) {
    const { status, html } = await page(query)
    t.equal(status, 200)
    t.match(html, 'Read as the query <code>luffy -c:green sort:-power</code>')
    t.match(html, `of ${String(summary.found)} cards`)
    t.equal(html.includes('rel="first"'), pages > 0)
    products.push(...productsOf(html))
    const next = /rel="next" href="([^"]+)"/.exec(html)?.[1]
    query = next === undefined ? undefined : Object.fromEntries(new URLSearchParams(unescaped(next).slice(1)))
  }
  t.equal(query, undefined)
  t.ok(summary.found > 40)
  t.equal(products.length, summary.found)
  t.equal(new Set(products).size, summary.found)
})

t.test('the usual form of a query is said, and what was cut', async t => {
  t.match(
    (await page({ q: ' ( C:red )AND set:"op01"' })).html,
    'Read as the query <code>c:red set:&quot;op01&quot;</code>'
  )
  const { cut } = (await answer({ q: 'n:the OR n:dragon OR n:fire OR n:pikachu' })) as { cut: string }
  t.match((await page({ q: 'n:the OR n:dragon OR n:fire OR n:pikachu' })).html, cut)
})

t.test('the chosen game narrows a query', async t => {
  const all = productsOf((await page({ q: 'n:dragon' })).html)
  t.ok(new Set(all.map(sku => sku.split('-')[0])).size > 1)
  for (const game of ['fab', 'flesh-and-blood']) {
    const some = productsOf((await page({ q: 'n:dragon', game })).html)
    t.ok(some.length > 0 && some.every(sku => sku.startsWith('fab-')), game)
  }
  t.match(await page({ q: 'n:dragon', game: 'no-game' }), { status: 400, html: /No game is called/ })
})

t.test('a query with a mistake is a 400 that says it beside the field, with links that mend it', async t => {
  for (const [q, token, mended] of [
    ['luffy colur:red', 'colur:red', ['luffy color:red', 'luffy colour:red', 'luffy colours:red']],
    ['😀 k:blokcer luffy', 'k:blokcer', ['😀 k:blocker luffy']],
    ['luffy sort:-cots', 'sort:-cots', ['luffy sort:-cost']],
    ['luffy -game:"one-pice"', 'game:&quot;one-pice&quot;', ['luffy -game:"one-piece"']],
    ['set:op01 has:powr', 'has:powr', ['set:op01 has:pow', 'set:op01 has:power']],
    ['c:red cost<=3', 'c:red', []],
    ['set:op01 c:', 'c:', []]
  ] as const) {
    const { status, html } = await page({ q })
    t.equal(status, 400, q)
    t.match(html, 'aria-invalid="true" aria-describedby="mistake"', q)
    t.match(html, `<mark>${token}</mark>`, q)
    const links = [...html.matchAll(/Write\s*<a href="([^"]+)"/g)].map(([, href = '']) =>
      new URLSearchParams(unescaped(href).slice(1)).get('q')
    )
    t.same(links, mended, q)
    for (const one of mended) t.equal((await page({ q: one })).status, 200, one)
    const name = /href="([^"]+)">Look for the text as a name/.exec(html)?.[1] ?? ''
    t.equal((await get(`/prices/search${unescaped(name)}`)).status, 200, `${q} as a name`)
  }
  t.match(await page({ q: 'set:op01', cursor: 'x' }), { status: 400, html: /<code>cursor<\/code> is none/ })
})

t.test('words are looked for as before, also with signs of queries in them', async t => {
  for (const q of ['luffy', 'Luffy OR Zoro', 'Chopper: Doctor', '"set:op01"', '(Parallel)', 'OP01-001', 'a < b', '-']) {
    const { data } = (await (await get(`/api/v1/search/reading?${String(new URLSearchParams({ q }))}`)).json()) as {
      data: unknown
    }
    t.match(data, { words: q, query: null }, q)
    t.equal((await page({ q })).status, 200, q)
  }
})

t.test('every name with a sign of queries is found as a name', async t => {
  const database = await databaseAt(t, databaseUrl)
  const held = await database.bulk('card_names').distinct('name').whereRaw("name ~ '[:=<>]'").pluck<string[]>('name')
  const names = held.filter((name, at) => at % 40 === 0 || /[:=<>]\S/.test(name))
  for (const name of names) t.match((await page({ q: name })).html, 'exact: name matched', name)
  t.ok(names.length > 0)
})

t.test('the examples of the page are queries that find cards', async t => {
  const { html } = await page({})
  const links = [...html.matchAll(/<dt>\s*<a href="([^"]+)"/g)].map(([, href = '']) => unescaped(href))
  t.ok(links.length >= 5)
  for (const link of links) {
    const found = await (await get(`/prices/search${link}`)).text()
    t.match(found, 'Read as the query', link)
    t.ok(productsOf(found).length > 0, link)
  }
})
