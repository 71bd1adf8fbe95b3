import t from 'tap'
import fc from 'fast-check'
import { decodePath, parseQuery } from '../../../core/plan/query.ts'
import { anyCharacter } from '../../support/any-character.ts'

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
