import t from 'tap'
import fc from 'fast-check'
import type { Segment } from '../../../core/manifest/paths.ts'
import { createRouteIndex, type IndexedRoute } from '../../../core/plan/route-index.ts'

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
