import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import type { Corpus } from '../../../core/corpus/corpus.ts'
import { parseTarget } from '../../../core/manifest/paths.ts'
import type { Surface } from '../../../core/manifest/surface.ts'
import { build, observations, registry, registryOf, surface } from './fixture.ts'

t.test('llms.txt has the order of the convention: title, summary, sections of links', t => {
  const text = build('llms') as string
  const lines = text.split('\n').filter(line => line !== '')
  t.equal(lines[0], '# Tide Tables of the North Coast')
  t.match(lines[1], /^> /)
  const sections = lines.slice(lines.findIndex(line => line.startsWith('## ')))
  for (const line of sections) t.match(line, /^(## .+|- \[[^\]]+\]\(https:\/\/tides\.example\.org\/[^)]*\): .+)$/)
  t.ok(Buffer.byteLength(text) < 10_000)
  t.end()
})

t.test('llms.txt names every surface, links a working URL, and says what is paused', t => {
  const text = build('llms') as string
  for (const { route } of registry.surfaces) t.ok(text.includes(route.path), route.path)
  t.match(text, '[/api/v1/harbours/{slug}/history](https://tides.example.org/api/v1/harbours/x/history)')
  t.match(text, '(paused, no data)')
  t.end()
})

t.test('robots.txt closes what needs an account, and nothing else', t => {
  const text = build('robots', {
    registry: registryOf([
      surface('a', '/a'),
      surface('b', '/b/{id}/c', { access: ['user'] }),
      surface('c', '/c', { access: ['wholesale-key'] }),
      surface('d', '/d', { access: ['public', 'user'] })
    ])
  }) as string
  t.same(
    text.split('\n').filter(line => line.startsWith('Disallow')),
    ['Disallow: /b/*/c$', 'Disallow: /c$']
  )
  t.match(text, /^User-agent: \*$/m)
  t.end()
})

t.test('robots.txt names a prefix where most below it is closed, and then what is open there', t => {
  const closed = { access: ['user'] }
  const text = build('robots', {
    registry: registryOf([
      surface('a', '/own', closed),
      surface('b', '/own/a', closed),
      surface('c', '/own/b/{id}/c', closed),
      surface('d', '/own/d', closed),
      surface('e', '/own/sign-in'),
      surface('f', '/open/a'),
      surface('g', '/open/b'),
      surface('h', '/open/c', closed)
    ])
  }) as string
  t.same(
    text.split('\n').filter(line => /^(?:Disa|A)llow: \/./.test(line)),
    ['Disallow: /open/c$', 'Disallow: /own$', 'Disallow: /own/', 'Allow: /own/sign-in$']
  )
  t.end()
})

t.test('the sitemap has the pages that everyone may read, also where people with an account read more', t => {
  const page = { formats: ['html'] } as const
  const { urls } = build('sitemap', {
    registry: registryOf([
      surface('a', '/a', page),
      surface('b', '/b', { ...page, access: ['public', 'user'] }),
      surface('c', '/c', { ...page, access: ['user'] }),
      surface('d', '/d/{id}', page)
    ])
  }) as { urls: readonly string[] }
  t.same(urls, ['/a', '/b'])
  t.end()
})

const manyBooks = (count: number): Corpus =>
  ({
    name: 'books',
    key: 'isbn',
    byKey: new Map(Array.from({ length: count }, (_, at) => [`b ${at}`, { isbn: `b ${at}` }]))
  }) as unknown as Corpus

const one = { shows: { corpus: 'books', as: 'one', member: 'entry' }, formats: ['json', 'html'] } as const

const sitemapOf = (corpus: Corpus, surfaces: readonly Surface[], part?: number): JsonValue =>
  build('sitemap', {
    registry: { ...registryOf(surfaces), corpora: new Map([['books', corpus]]) },
    request: { query: part === undefined ? {} : { part } }
  }) as JsonValue

t.test('the sitemap has the pages of entries in files, and beyond 50,000 URLs it is an index', t => {
  const book = surface('book', '/api/v1/books/{isbn}', one)
  const page = surface('books/book', '/books/{isbn}', {
    formats: ['html'],
    page: { isIndexed: true, shows: [parseTarget('/api/v1/books/{isbn}')!], besides: [] }
  })
  const list = surface('list', '/books', { formats: ['html'] })
  t.same(sitemapOf(manyBooks(2), [book, page, list]), {
    '@kind': 'sitemap',
    urls: ['/books', '/books/b%200', '/books/b%201']
  })
  t.same(sitemapOf(manyBooks(2), [book]), { '@kind': 'sitemap', urls: [] }, 'an answer for programs is no page')
  t.same(sitemapOf(manyBooks(1), [{ ...book, formats: ['html'] }]), {
    '@kind': 'sitemap',
    urls: ['/api/v1/books/b%200']
  })
  t.same(sitemapOf({ ...manyBooks(1), table: { name: 'books' } }, [book, page]), { '@kind': 'sitemap', urls: [] })
  t.same(sitemapOf(manyBooks(1), [book, { ...page, access: ['user'] }]), { '@kind': 'sitemap', urls: [] })

  const own = surface('sitemap', '/sitemap.xml', { serves: 'sitemap' })
  const many = manyBooks(50_001)
  t.same(sitemapOf(many, [book, page, own]), {
    '@kind': 'sitemap',
    urls: [],
    sitemaps: ['/sitemap.xml?part=1', '/sitemap.xml?part=2']
  })
  t.same(
    [1, 2].map(part => (sitemapOf(many, [book, page, own], part) as { urls: readonly string[] }).urls.length),
    [50_000, 1]
  )
  t.throws(() => sitemapOf(many, [book, page, own], 3), { code: 'NOT_FOUND' })
  t.end()
})

t.test('security.txt has a contact and expires within a year', t => {
  const text = build('security') as string
  t.match(text, /^Contact: mailto:harbour@example\.org$/m)
  t.match(text, /^Canonical: https:\/\/tides\.example\.org\/api\/v1\/security$/m)
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '')
  const plain = build('security', {
    registry: { ...registry, service: { ...registry.service, base_url: 'http://127.0.0.1:8080' } }
  }) as string
  t.notMatch(plain, /^Canonical:/m, 'RFC 9116 section 2.5.2 wants https')
  t.ok(expires > observations.now.getTime() && expires < observations.now.getTime() + 365 * 86_400_000)
  t.end()
})

t.test('llms-full.txt tells of every surface of the API, and is never long', t => {
  const text = build('llms-full') as string
  for (const { route } of registry.surfaces) t.ok(text.includes(route.path), route.path)
  const described = { formats: ['json'], description: 'word '.repeat(200) } as const
  const many = Array.from({ length: 400 }, (_, at) => surface(`s${at}`, `/api/v1/s${at}`, described))
  const cut = build('llms-full', { registry: registryOf([...registry.surfaces, ...many]) }) as string
  t.ok(cut.length < 220_000, `${cut.length} characters`)
  t.match(cut, '/api/v1/s399', 'and what does not fit is named')
  t.end()
})

t.test('the catalogue of APIs leads to the description, the texts and the state of the API (RFC 9727)', t => {
  const { linkset } = build('api-catalog') as { linkset: readonly Record<string, unknown>[] }
  const [catalogue, api] = linkset
  t.match(catalogue, { anchor: /\/api-catalog$/, item: [{ href: api?.['anchor'] }] })
  t.match(api, { 'service-desc': [{ href: /openapi/, type: 'application/json' }], status: [{ href: /health/ }] })
  t.end()
})
