import fc from 'fast-check'
import t from 'tap'
import {
  compilePathTo,
  expandTarget,
  matchesRoute,
  parseSegments,
  parseTarget,
  placeholdersOf,
  requiredVariablesOf
} from '../../../core/manifest/paths.ts'
import { surfaceAt } from '../../../core/manifest/surface.ts'
import { surface } from '../discovery/fixture.ts'

type Value = string | number | boolean | undefined
const expand = (text: string, values: Readonly<Record<string, Value>>): string | undefined => {
  const target = parseTarget(text)
  if (target === undefined) throw new Error(`${text} is no target`)
  return expandTarget(target, name => values[name])
}

t.test('expansions are those of RFC 6570', async t => {
  for (const [text, values, wanted] of [
    ['/books/{isbn}', { isbn: 'a/b ü' }, '/books/a%2Fb%20%C3%BC'],
    ['/search{?q,limit}', { q: 'x & y', limit: 3 }, '/search?q=x%20%26%20y&limit=3'],
    ['/search{?q,limit}', {}, '/search'],
    ['/search?kind=book{&q}', { q: 'x' }, '/search?kind=book&q=x'],
    ['/search?kind=book{&q}', { q: '' }, '/search?kind=book'],
    ['/sets/{code}?game={guide.game.code}', { code: 'a', 'guide.game.code': 'o p' }, '/sets/a?game=o%20p'],
    ['/authors/{book.author.id}', { 'book.author.id': 7 }, '/authors/7']
  ] as const)
    t.equal(expand(text, values), wanted, text)
})

t.test('without a value of the path or the fixed query there is no request', async t => {
  t.equal(expand('/books/{isbn}', {}), undefined)
  t.equal(expand('/books/{isbn}', { isbn: '' }), undefined)
  t.equal(expand('/books?of={x.y}', {}), undefined)
  t.same(requiredVariablesOf(parseTarget('/a/{b}?c={d.e}{&f}')!), ['b', 'd.e'])
})

t.test('what is no template is none', async t => {
  for (const text of [
    '',
    'books',
    '/a{',
    '/a/{b',
    '/a/{b-c}',
    '/a{?}',
    '/a{?b,}',
    '/a?{b}{c}{?d}{&e}',
    '/{.b}',
    '/{b.}'
  ])
    t.equal(parseTarget(text), undefined, text)
})

t.test(
  'a value never leaves its place: the request has the path of the template, and the query gives the value back',
  async () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ minLength: 1, unit: 'grapheme' }),
        (one, two) => {
          const url = new URL(`http://a.example${expand('/books/{one}/pages{?two}', { one, two }) ?? ''}`)
          const [, books, value, pages, ...more] = url.pathname.split('/')
          // A URL drops segments that are dots alone (RFC 3986 §5.2.4); routes never see them.
          if (/^\.{1,2}$/.test(one)) return true
          return (
            books === 'books' &&
            pages === 'pages' &&
            more.length === 0 &&
            decodeURIComponent(value ?? '') === one &&
            url.searchParams.get('two') === two
          )
        }
      )
    )
  }
)

t.test('the surface with the most literals answers', async t => {
  const surfaces = [
    surface('one', '/books/{isbn}'),
    surface('new', '/books/new'),
    surface('two', '/books/{isbn}/{page}')
  ]
  const at = (text: string): string | undefined => surfaceAt(surfaces, parseTarget(text)!)?.id
  t.same([at('/books/{x}'), at('/books/new'), at('/books/{x}/2'), at('/shelves')], ['one', 'new', 'two', undefined])
  t.notOk(matchesRoute(parseSegments('/books/{x}'), parseSegments('/books/new')), 'a value is no literal')
})

const pathTo = compilePathTo(
  new Map(
    ['/books/{isbn}', '/books/new', '/'].map(path => [
      path,
      { route: { path, placeholders: placeholdersOf(path), segments: parseSegments(path) } }
    ])
  )
)

t.test('the declared path of what answers at a path is found, a literal before a placeholder', t => {
  t.equal(pathTo.at('/books/new'), '/books/new')
  t.equal(pathTo.at('/books/978'), '/books/{isbn}')
  t.equal(pathTo.at('/books/{isbn}'), '/books/{isbn}')
  t.equal(pathTo.at('/'), '/')
  for (const path of ['', '/books', '/books/978/pages', '/films/978']) t.equal(pathTo.at(path), undefined, path)
  t.end()
})
