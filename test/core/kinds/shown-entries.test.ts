import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { isAlwaysShown } from '../../../core/corpus/select.ts'
import { generationOf, library, serveGeneration } from '../../support/serve-root.ts'

type Refusal = { error: { code: string; details: { field: string; allowed: string[] } } }

t.test('a caller chooses members of entries, of a list and of one', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, [library]))
  const books = (await (await get('/api/v1/library/books?fields=title,%20author&genre=novel')).json()) as {
    data: { returned: number; books: object[] }
  }
  t.ok(books.data.returned > 0)
  for (const book of books.data.books)
    t.same(Object.keys(book), ['isbn', 'title', 'author'], 'with the key, in the order of the entry')
  const one = (await (await get('/api/v1/library/books/9780451529060?fields=title')).json()) as {
    data: { book: object }
  }
  t.same(Object.keys(one.data.book), ['isbn', 'title'])
  t.equal(
    await (
      await get('/api/v1/library/books?fields=title&format=csv&genre=novel')
    )
      .text()
      .then(text => text.split('\r\n')[0]),
    'isbn,title'
  )
  t.match(
    await (await get('/api/v1/library/books?fields=author&format=atom')).text(),
    /<updated>(?!1970)/,
    'a feed keeps what makes it one'
  )
  const whole = await get('/api/v1/library/books')
  t.not((await get('/api/v1/library/books?fields=title')).headers.get('etag'), whole.headers.get('etag'))
})

t.test('a name that no entry has is refused, with those that there are', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, [library]))
  for (const path of ['/api/v1/library/books', '/api/v1/library/books/9780451529060', '/api/v1/library/today']) {
    for (const fields of ['price', 'title,price', 'title,', ',', '__proto__', 'constructor']) {
      const refused = await get(`${path}?fields=${fields}`)
      t.equal(refused.status, 400, `${path} ${fields}`)
      const { error } = (await refused.json()) as Refusal
      t.match(error, { code: 'INVALID_INPUT', details: { field: 'fields' } })
      t.ok(error.details.allowed.includes('title'))
    }
  }
})

t.test('no choice removes rights, a license, a source, or that something is withheld', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, [packageFolder]))
  const tiers = new Set(Object.keys(registry.service.tiers))
  let asked = 0
  for (const surface of registry.surfaces) {
    const { shows } = surface
    const corpus = shows === undefined || shows.as === 'choice' ? undefined : registry.corpora.get(shows.corpus)
    const [first] = corpus?.entries ?? []
    if (shows === undefined || corpus === undefined || first === undefined) continue
    asked += 1
    const path = surface.route.path.replace(/\{\w+\}/, encodeURIComponent(first[corpus.key] as string))
    const ask = async (query: string) => {
      const answer = (await (
        await get(`${path}?${query}`, { headers: { Accept: 'application/json' } })
      ).json()) as Record<string, Record<string, unknown>>
      return [(surface.contract === 'envelope' ? answer['data'] : answer)?.[shows.member]].flat() as Record<
        string,
        unknown
      >[]
    }
    const [whole, part] = [await ask(''), await ask(`fields=${corpus.key}`)]
    t.ok(whole.length > 0, path)
    for (const [index, entry] of whole.entries()) {
      const kept = Object.keys(entry).filter(
        name => name === corpus.key || corpus.keep.includes(name) || isAlwaysShown(name)
      )
      t.same(Object.keys(part[index] ?? {}).sort(), kept.sort(), path)
      t.same(
        Object.keys(entry).filter(name => tiers.has(String(entry[name])) && !kept.includes(name)),
        [],
        `${path}: a member that holds a license tier`
      )
    }
  }
  t.ok(asked > 20)
  for (const name of [
    'rule_sources',
    'signed_by',
    'by',
    'unsure',
    'source_rights',
    'licenseStatement',
    '@content_hash'
  ])
    t.ok(isAlwaysShown(name), name)
  for (const name of ['title', 'rules', 'byline', 'sourced', 'url']) t.notOk(isAlwaysShown(name), name)
})

t.test('a corpus keeps by name only what its name does not say', async t => {
  const { registry } = await serveGeneration(t, await generationOf(t, [packageFolder]))
  for (const { name, keep } of registry.corpora.values()) t.same(keep.filter(isAlwaysShown), [], name)
})
