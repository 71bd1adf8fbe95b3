import t from 'tap'
import { bundledDatabase } from '../../support/bundled.ts'
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
