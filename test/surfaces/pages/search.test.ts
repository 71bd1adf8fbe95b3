import t, { type Test as Tap } from 'tap'
import { bundledDatabase } from '../../support/bundled.ts'
import { databaseAt } from '../../support/database.ts'
import { followNext } from '../../support/follow-next.ts'
import { unescaped } from '../../support/markup.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))

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
const dataAt = async (path: string, query: Readonly<Record<string, string>>): Promise<unknown> =>
  ((await (await get(`${path}?${String(new URLSearchParams(query))}`)).json()) as { data: unknown }).data
const answer = async (query: Readonly<Record<string, string>>): Promise<unknown> =>
  await dataAt('/api/v1/search/query', query)

type Facet = Readonly<{
  name: string
  chosen: string | null
  values: Readonly<{ value: string; label: string; cards: number }>[]
}>
type Found = Readonly<{
  matches: readonly Readonly<{ sku: string; game: string; set_code: string; rarities: readonly string[] }>[]
  facets: readonly Facet[]
  summary: Readonly<{ found: number; printings: number; without_facets: number }>
}>
const found = async (query: Readonly<Record<string, string>>): Promise<Found> =>
  (await dataAt('/api/v1/search/found', query)) as Found

/** The cards that a page leads to, by number or by printing. */
const cardsOf = (html: string): string[] =>
  [...html.matchAll(/class="found" href="([^"]+)"/g)].map(([, href = '']) => href)
const linkOf = (html: string, rel: string): Readonly<Record<string, string>> | undefined => {
  const href = new RegExp(`rel="${rel}" href="([^"]+)"`).exec(html)?.[1]
  return href === undefined ? undefined : Object.fromEntries(new URLSearchParams(unescaped(href).split('?')[1]))
}

/** Follows the pages of a search, and back, and returns what all of them lead to. */
async function walk(t: Tap, first: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const cards: string[] = []
  let [query, before]: (Readonly<Record<string, string>> | undefined)[] = [first, undefined]
  for (let pages = 0; query !== undefined && pages < 20; pages++) {
    const { status, html } = await page(query)
    t.equal(status, 200)
    cards.push(...cardsOf(html))
    t.same(linkOf(html, 'prev'), before, 'the page before')
    before = query
    query = linkOf(html, 'next')
  }
  t.equal(query, undefined)
  return cards
}

t.test('the pages of a search lead through all cards that it finds, each once, forwards and back', async t => {
  for (const query of [
    { q: 'luffy', game: 'op' },
    { q: 'luffy -c:green sort:-power', game: 'op' },
    { q: '001', game: 'op' }
  ] as const) {
    const { summary } = await found(query)
    const cards = await walk(t, query)
    t.ok(summary.found > 40, query.q)
    t.equal(cards.length, summary.found, query.q)
    t.equal(new Set(cards).size, summary.found, query.q)
  }
  t.match(
    (await page({ q: 'luffy -c:green sort:-power' })).html,
    'Read as the query <code>luffy -c:green sort:-power</code>'
  )
  t.match((await page({ q: 'Z' })).html, '>Z</a>', 'names of one letter')
})

t.test('the printings of a number are one card, and a SKU leads to its printing', async t => {
  const { html } = await page({ q: 'op01-1' })
  t.same(cardsOf(html), ['/prices/one-piece/op01/op01-001'])
  t.match(html, 'Why it was found: the number is what you wrote.')
  t.same(cardsOf((await page({ q: 'op-op01-001-en-p1' })).html), ['/product/op-op01-001-en-p1'])
})

t.test('facets count what narrowing by them finds, and each is taken away by a link', async t => {
  const all = await found({ q: 'luffy', limit: '100' })
  for (const { name, values } of all.facets)
    for (const { value, cards } of values.slice(0, 3)) {
      const { summary, facets } = await found({ q: 'luffy', [name]: value })
      t.equal(summary.found, cards, `${name} ${value}`)
      if (name !== 'game') t.equal(summary.without_facets, all.summary.found)
      t.match(
        facets.find(one => one.name === name),
        { chosen: value, values: [{ cards }] }
      )
    }
  const sets = all.facets.find(({ name }) => name === 'set')?.values ?? []
  t.same(
    new Map(sets.map(({ value, cards }) => [value, cards])),
    new Map(sets.map(({ value }) => [value, all.matches.filter(({ set_code: code }) => code === value).length]))
  )
  const { html } = await page({ q: 'luffy', set: 'op15', colour: 'red', page: '1' })
  const away = [...html.matchAll(/<a rel="nofollow" href="([^"]+)"><span class="away">/g)].map(([, href = '']) =>
    unescaped(href)
  )
  t.same(away, ['/prices/search?q=luffy&colour=red', '/prices/search?q=luffy&set=op15'])
  for (const q of ['luffy', 'n:luffy'])
    t.match(await page({ q, rarity: 'zzz' }), { status: 200, html: /none with all that you chose/ })
  t.match((await page({ q: 'luffy', set: 'OP15' })).html, html.includes('Lucy') ? /Set: ADVENTURE/ : /Set: /)
})

t.test('each value of each facet finds as many cards as it says, whatever was searched', async t => {
  for (const query of [
    { q: 'dragon' },
    { q: 'dragon', game: 'fab' },
    { q: 'n:dragon' },
    { q: 'ex' },
    { q: 'rare' },
    { q: 'set:op01' },
    { q: 'OP01-001' },
    { q: 'set:op05 OR set:wtr' }
  ] as Readonly<Record<string, string>>[])
    for (const { name, values } of (await found(query)).facets)
      for (const { value, cards } of [...values.slice(0, 6), ...values.slice(-2)])
        t.equal(
          (await found({ ...query, [name]: value })).summary.found,
          cards,
          `${query['q'] ?? ''}: ${name} ${value}`
        )
})

t.test('a rarity is counted and called as the game of the card has it', async t => {
  const rarities = async (query: Readonly<Record<string, string>>) =>
    (await found(query)).facets.find(({ name }) => name === 'rarity')?.values ?? []
  const ofGame = await rarities({ q: 'set:op01' })
  t.match(
    ofGame.find(({ value }) => value === 'secret rare'),
    { label: 'Secret Rare' }
  )
  for (const rarity of ['SEC', 'sec', 'Secret Rare', 'secret rare'])
    t.equal(
      (await found({ q: 'set:op01', rarity })).summary.found,
      ofGame.find(({ value }) => value === 'secret rare')?.cards,
      rarity
    )
})

t.test('only facets that can narrow the result are shown', async t => {
  for (const q of ['luffy', 'set:op01', 'OP01-001', 'dragon']) {
    const { facets, summary } = await found({ q })
    const { html } = await page({ q })
    for (const { name, values } of facets)
      t.equal(
        html.includes(`<h2>${name.charAt(0).toUpperCase()}${name.slice(1)}</h2>`),
        values.some(({ cards }) => cards < summary.found),
        `${q}: ${name}`
      )
  }
})

t.test('crawlers do not follow the combinations of facets, and keep none of them', async t => {
  const kept = /<meta name="robots" content="noindex">/
  for (const query of [{ q: 'luffy' }, { q: 'luffy', game: 'op' }, { q: 'luffy', page: '2' }])
    t.notMatch((await page(query)).html, kept, JSON.stringify(query))
  const { html } = await page({ q: 'luffy', set: 'op15', colour: 'red' })
  t.match(html, kept)
  const narrowing = [...(await page({ q: 'luffy' })).html.matchAll(/<a [^>]*href="[^"]*&amp;(?:set|colour)=[^>]*>/g)]
  t.ok(narrowing.length > 0)
  for (const [link] of [...narrowing, ...html.matchAll(/<a [^>]*><span class="away">/g)])
    t.match(link, 'rel="nofollow"')
})

t.test('an empty result says what was understood, names that are near, and which script is not held', async t => {
  const near = await page({ q: 'qqqq luffi', game: 'op' })
  t.match(near, { status: 200, html: /No card of One Piece Card Game has “qqqq luffi”/ })
  t.match(near.html, /<a href="\/prices\/search\?q=Monkey.D.Luffy&amp;game=op">/)
  t.match(near.html, 'Look in all games')
  t.match((await page({ q: 'ルフィ', game: 'op' })).html, 'No name of One Piece Card Game is held in Japanese kana')
})

t.test('what cannot be asked is a page that names the field and what is allowed', async t => {
  for (const [query, said] of [
    [{ q: 'luffy', page: '0' }, 'page'],
    [{ q: 'luffy', page: '1e9' }, 'page'],
    [{ q: 'luffy', page: '900' }, 'is from 1 to 3'],
    [{ q: 'x'.repeat(500) }, 'q'],
    [{ q: 'luffy', set: 'x'.repeat(500) }, 'set'],
    [{ q: 'luffy', game: 'no-game' }, 'one-piece'],
    [{ q: '%%' }, 'q'],
    [{ q: '-' }, 'q']
  ] as const) {
    const { status, html } = await page(query)
    t.equal(status, 400, JSON.stringify(query))
    t.match(html, said)
  }
  for (const q of ['"', '"luffy', "luf'fy", '<b>luffy', '\\', 'x'.repeat(400), '   ', '(((', 'ﷺ', '\u0000'])
    t.ok((await page({ q })).status < 500, q)
})

t.test('the usual form of a query is said, and what was cut', async t => {
  t.match(
    (await page({ q: ' ( C:red )AND set:"op01"' })).html,
    'Read as the query <code>c:red set:&quot;op01&quot;</code>'
  )
  const codes = 'op01 op02 op03 op04 op05 op06 op07 op08 op09 wtr arc cru mon ele evr upr dyn out evo hvy'.split(' ')
  const q = codes.map(code => `s:${code}`).join(' OR ')
  const { cut } = (await answer({ q })) as { cut: string }
  t.match((await page({ q })).html, cut)
})

t.test('the chosen game narrows a query', async t => {
  const all = (await found({ q: 'n:dragon' })).matches
  t.ok(new Set(all.map(({ game }) => game)).size > 1)
  for (const game of ['fab', 'flesh-and-blood']) {
    const some = cardsOf((await page({ q: 'n:dragon', game })).html)
    t.ok(some.length > 0 && some.every(href => href.startsWith('/prices/flesh-and-blood/')), game)
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
})

t.test('words are looked for as before, also with signs of queries in them', async t => {
  for (const q of ['luffy', 'Luffy OR Zoro', 'Chopper: Doctor', '"set:op01"', '(Parallel)', 'OP01-001', 'a < b']) {
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
  for (const name of names) t.match((await page({ q: name })).html, 'he name is what you wrote', name)
  t.ok(names.length > 0)
})

t.test('the examples of the page are queries that find cards', async t => {
  const { html } = await page({})
  const links = [...html.matchAll(/<dt>\s*<a href="([^"]+)"/g)].map(([, href = '']) => unescaped(href))
  t.ok(links.length >= 5)
  for (const link of links) {
    const html = await (await get(`/prices/search${link}`)).text()
    t.match(html, 'Read as the query', link)
    t.ok(cardsOf(html).length > 0, link)
  }
})
