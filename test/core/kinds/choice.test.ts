import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { generationOf, library, serveGeneration } from '../../support/serve-root.ts'

type Refusal = { error: { code: string, details: { field: string, allowed: string[] } } }

t.test('a caller chooses members of entries, of a list and of one', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, [library]))
  const books = await (await get('/api/v1/library/books?fields=title,%20author&genre=novel')).json() as { data: { returned: number, books: object[] } }
  t.ok(books.data.returned > 0)
  for (const book of books.data.books) t.same(Object.keys(book), ['isbn', 'title', 'author'], 'with the key, in the order of the entry')
  const one = await (await get('/api/v1/library/books/9780451529060?fields=title')).json() as { data: { book: object } }
  t.same(Object.keys(one.data.book), ['isbn', 'title'])
  t.equal(await (await get('/api/v1/library/books?fields=title&format=csv&genre=novel')).text().then(text => text.split('\r\n')[0]), 'isbn,title')
  t.match(await (await get('/api/v1/library/books?fields=author&format=atom')).text(), /<updated>(?!1970)/, 'a feed keeps what makes it one')
  const whole = await get('/api/v1/library/books')
  t.not((await get('/api/v1/library/books?fields=title')).headers.get('etag'), whole.headers.get('etag'))
})

t.test('a name that no entry has is refused, with those that there are', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, [library]))
  for (const path of ['/api/v1/library/books', '/api/v1/library/books/9780451529060', '/api/v1/library/today']) {
    for (const fields of ['price', 'title,price', 'title,', ',', '__proto__', 'constructor']) {
      const refused = await get(`${path}?fields=${fields}`)
      t.equal(refused.status, 400, `${path} ${fields}`)
      const { error } = await refused.json() as Refusal
      t.match(error, { code: 'INVALID_INPUT', details: { field: 'fields' } })
      t.ok(error.details.allowed.includes('title'))
    }
  }
})

t.test('no choice removes rights, a license, or that something is withheld', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, [packageFolder]))
  const kept = registry.surfaces.flatMap(surface => {
    const { shows } = surface
    const corpus = shows === undefined || shows.as === 'choice' ? undefined : registry.corpora.get(shows.corpus)
    return shows === undefined || corpus === undefined || corpus.keep.length === 0 || corpus.entries.length === 0 ? [] : [{ surface, shows, corpus }]
  })
  t.ok(kept.length > 3)
  for (const { surface, shows, corpus } of kept) {
    const [first = {}] = corpus.entries
    const path = surface.route.path.replace(/\{\w+\}/, encodeURIComponent(first[corpus.key] as string))
    const shown = async (query: string) => {
      const answer = await (await get(`${path}?${query}`)).json() as Record<string, Record<string, unknown>>
      return [(surface.contract === 'envelope' ? answer['data'] : answer)?.[shows.member]].flat()[0] as object
    }
    const [whole, part] = [await shown(''), await shown(`fields=${corpus.key}`)]
    t.same(Object.keys(part).sort(), [corpus.key, ...corpus.keep].filter(name => name in whole).sort(), path)
  }
})

t.test('members that say what may be done with an entry are kept by its corpus', async t => {
  const { registry } = await serveGeneration(t, await generationOf(t, [packageFolder]))
  for (const { name, schema, keep } of registry.corpora.values()) {
    if (!registry.surfaces.some(({ shows }) => shows?.corpus === name)) continue
    const rights = Object.keys(schema['properties'] as object).filter(member => /licen[cs]e|rights|withheld|unavailable|provenance/.test(member))
    t.same(rights.filter(member => !keep.includes(member)), [], name)
  }
})
