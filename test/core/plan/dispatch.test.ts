import fc from 'fast-check'
import t from 'tap'
import type { Segment } from '../../../core/manifest/paths.ts'
import { createRouteIndex, decodePath, parseQuery, type IndexedRoute } from '../../../core/plan/dispatch.ts'
import { anyCharacter } from '../../support/any-character.ts'

const route = (text: string): IndexedRoute<string> => {
  const [methods = '', path = ''] = text.split(' ')
  const segmentOf = (part: string): Segment =>
    part.startsWith('{') ? { placeholder: part.slice(1, -1) } : { literal: part }
  const segments = path.slice(1).split('/').map(segmentOf)
  return { methods: methods.split(','), segments, value: text }
}

const index = createRouteIndex(
  [
    'GET /',
    'GET /api/v1/',
    'GET /api/v1/time',
    'GET,POST /api/v1/notes',
    'GET /api/v1/notes/{id}',
    'GET /api/v1/sources/{id}',
    'GET /api/v1/sources/welcome',
    'POST /api/v1/sources/{name}',
    'GET /at/{date}/{sku}',
    'GET /at/{date}/latest/{x}',
    'GET /at/today/{sku}/more',
    'DELETE /at/{day}/{sku}',
    'GET /.well-known/x.json'
  ].map(route)
)

const find = (text: string): unknown => {
  const [method = '', path = ''] = text.split(' ')
  return index.find(method, path)
}

t.test('paths without placeholders', t => {
  t.same(find('GET /api/v1/time'), { value: 'GET /api/v1/time', params: {} })
  t.equal(index.find('GET', '/api/v1/time'), index.find('GET', '/api/v1/time'), 'a hit makes nothing new')
  t.match(find('HEAD /api/v1/time'), { value: 'GET /api/v1/time' })
  t.match(find('POST /api/v1/notes'), { value: 'GET,POST /api/v1/notes' })
  t.match(find('GET /'), { value: 'GET /' })
  t.match(find('GET /api/v1/'), { value: 'GET /api/v1/' })
  t.match(find('GET /%61pi/v1/%74ime'), { value: 'GET /api/v1/time' }, 'escaped letters are the letters')
  t.end()
})

t.test('placeholders are decoded', t => {
  t.same(find('GET /api/v1/notes/a%2Fb%20c'), { value: 'GET /api/v1/notes/{id}', params: { id: 'a/b c' } })
  t.same(find('GET /at/2024-01-01/x'), { value: 'GET /at/{date}/{sku}', params: { date: '2024-01-01', sku: 'x' } })
  t.same(find('DELETE /at/2024-01-01/x'), { value: 'DELETE /at/{day}/{sku}', params: { day: '2024-01-01', sku: 'x' } })
  t.end()
})

t.test('a literal goes before a placeholder, and is left again where it leads nowhere', t => {
  t.match(find('GET /api/v1/sources/welcome'), { value: 'GET /api/v1/sources/welcome' })
  t.match(find('GET /api/v1/sources/other'), { value: 'GET /api/v1/sources/{id}', params: { id: 'other' } })
  t.match(find('POST /api/v1/sources/welcome'), { value: 'POST /api/v1/sources/{name}', params: { name: 'welcome' } })
  t.same(find('GET /at/today/x'), { value: 'GET /at/{date}/{sku}', params: { date: 'today', sku: 'x' } })
  t.same(find('GET /at/today/latest/x'), { value: 'GET /at/{date}/latest/{x}', params: { date: 'today', x: 'x' } })
  t.same(find('GET /at/today/latest/more'), { value: 'GET /at/today/{sku}/more', params: { sku: 'latest' } })
  t.same(find('GET /at/today/y/more'), { value: 'GET /at/today/{sku}/more', params: { sku: 'y' } })
  t.end()
})

t.test('another method gets the methods of the path', t => {
  t.same(find('POST /api/v1/time'), { allowed: ['GET', 'HEAD', 'OPTIONS'] })
  t.same(find('DELETE /api/v1/sources/welcome'), { allowed: ['GET', 'HEAD', 'OPTIONS', 'POST'] })
  t.same(find('OPTIONS /at/today/x'), { allowed: ['DELETE', 'GET', 'HEAD', 'OPTIONS'] })
  t.same(find('__proto__ /api/v1/time'), { allowed: ['GET', 'HEAD', 'OPTIONS'] })
  t.end()
})

t.test('what is not declared is not found', t => {
  for (const path of [
    '/api/v1',
    '/api/v1/time/',
    '/api/v1/Time',
    '/api/v1//time',
    '/api/v1/notes/',
    '/at//x',
    '/api/v1/../v1/time',
    '/nothing',
    '//',
    '/api/v1/notes/a/b',
    '/__proto__'
  ]) {
    t.equal(find(`GET ${path}`), undefined, path)
  }
  t.end()
})

t.test('a path that cannot be read says why', t => {
  t.match(find('GET /api/v1/notes/%ff'), { malformed: /Segment 4/ })
  t.match(find('GET *'), { malformed: /slash/ })
  t.end()
})

t.test('the order of declaration does not matter, and every declared route finds itself', t => {
  const part = fc.constantFrom('a', 'b', '{x}', '{y}')
  const paths = fc.uniqueArray(fc.array(part, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
    selector: parts => parts.map(one => (one.startsWith('{') ? '*' : one)).join('/')
  })
  const orders = paths.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(
    fc.property(orders, ([all, shuffled]) => {
      const [first, second] = [all, shuffled].map(list =>
        createRouteIndex(list.map(parts => route(`GET /${parts.join('/')}`)))
      )
      return all.every(parts => {
        const path = `/${parts.map(one => (one.startsWith('{') ? 'z' : one)).join('/')}`
        const found = first!.find('GET', path)
        return (
          JSON.stringify(found) === JSON.stringify(second!.find('GET', path)) &&
          found !== undefined &&
          'value' in found &&
          found.value === `GET /${parts.join('/')}`
        )
      })
    }),
    { numRuns: 1000 }
  )
  t.end()
})

const values = (search: string): unknown => {
  const query = parseQuery(search)
  return query.ok ? Object.fromEntries(query.values) : query.message
}

const segments = (path: string): unknown => {
  const decoded = decodePath(path)
  return decoded.ok ? decoded.segments : decoded.message
}

t.test('parameters in order, each with all its values', t => {
  t.same(values(''), {})
  t.same(values('?'), {})
  t.same(values('?a=1&b=2&a=3'), { a: ['1', '3'], b: ['2'] })
  t.same(values('a=1'), { a: ['1'] }, 'the question mark is optional')
  t.same(values('?a&b=&=c&&d=1=2&'), { a: [''], b: [''], '': ['c'], d: ['1=2'] })
  t.same(values('?q=a+b%2Bc%20d&n%61me=%E2%82%AC'), { q: ['a b+c d'], name: ['€'] })
  t.same(
    values('?a[]=1&__proto__=2'),
    Object.fromEntries([
      ['a[]', ['1']],
      ['__proto__', ['2']]
    ])
  )
  t.end()
})

t.test('what cannot be read is refused, and the message names the parameter', t => {
  for (const broken of ['%', '%2', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%00', 'a%00b']) {
    t.equal(
      values(`?ok=1&q=${broken}`),
      'The query parameter `q` is not valid percent-encoded UTF-8, or holds U+0000.',
      broken
    )
    t.match(values(`?${broken}=1`), /name of a query parameter/, `${broken} as a name`)
  }
  t.match(values('?q=\u00e9'), /must be percent-encoded/)
  t.match(values('?q=a b'), /must be percent-encoded/)
  t.end()
})

t.test('at most 100 parameters and 8192 characters', t => {
  const many = (count: number): string => '?' + Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')
  t.equal(parseQuery(many(100)).ok, true)
  t.match(values(many(101)), /more than 100/)
  t.equal(parseQuery(`?${'&'.repeat(5000)}a=1`).ok, true, 'empty pieces are no parameters')
  t.equal(parseQuery('?a='.padEnd(8192, 'x')).ok, true)
  t.match(values('?a='.padEnd(8193, 'x')), /longer than 8192/)
  t.end()
})

t.test('at most 4096 characters of a path', t => {
  t.equal(decodePath('/'.padEnd(4096, 'x')).ok, true)
  t.match(segments('/'.padEnd(4097, 'x')), /longer than 4096/)
  t.end()
})

t.test('agrees with URLSearchParams on what both accept', t => {
  const text = fc.string({ unit: anyCharacter, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), pairs => {
      const search = new URLSearchParams(pairs).toString()
      const query = parseQuery(search)
      if (pairs.some(pair => pair.join('').includes('\0'))) return !query.ok
      return (
        query.ok &&
        [...new URLSearchParams(search).keys()].every(
          name => JSON.stringify(query.values.get(name)) === JSON.stringify(new URLSearchParams(search).getAll(name))
        )
      )
    }),
    { numRuns: 2000 }
  )
  t.end()
})

t.test('path segments: decoded, none resolved or dropped', t => {
  t.same(segments('/'), [''])
  t.same(segments('/a//b/'), ['a', '', 'b', ''])
  t.same(segments('/a/../%2e%2E/.'), ['a', '..', '..', '.'])
  t.same(segments('/x/a%2Fb/%E2%82%AC+'), ['x', 'a/b', '€+'])
  for (const path of ['/a/%', '/a/%ff', '/a/%00', '/a/%c0%af']) {
    t.equal(segments(path), 'Segment 2 of the path is not valid percent-encoded UTF-8, or holds U+0000.', path)
  }
  for (const path of ['', '*', 'http://elsewhere/']) t.match(segments(path), /does not start with a slash/)
  t.match(segments('/\u00e9'), /must be percent-encoded/)
  t.end()
})

t.test('a path of encoded segments decodes to them', t => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 8 }), { minLength: 1 }), parts => {
      const decoded = decodePath('/' + parts.map(encodeURIComponent).join('/'))
      return parts.some(part => part.includes('\0'))
        ? !decoded.ok
        : decoded.ok && JSON.stringify(decoded.segments) === JSON.stringify(parts)
    }),
    { numRuns: 2000 }
  )
  t.end()
})
