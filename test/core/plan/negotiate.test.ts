import t from 'tap'
import fc from 'fast-check'
import { chooseEncoding, negotiateFormat, type Encoding } from '../../../core/plan/negotiate.ts'
import type { Format } from '../../../core/format/index.ts'

const accepts = new Map<Format, readonly string[]>([
  ['json', ['application/json', 'application/*+json']],
  ['md', ['text/markdown']],
  ['txt', ['text/plain']],
  ['html', ['text/html', 'application/xhtml+xml']],
  ['svg', ['image/svg+xml']],
  ['jsonld', ['application/ld+json']],
  ['xenoform', []]
])

t.test('Accept chooses among the formats of a surface', t => {
  const all: Format[] = ['json', 'md', 'txt', 'html', 'xenoform']
  const cases: [string, Format[], Format][] = [
    ['*/*', all, 'json'],
    ['text/markdown', all, 'md'],
    ['TEXT/Markdown; charset=utf-8', all, 'md'],
    ['application/ld+json', ['md', 'json'], 'json'],
    ['application/ld+json', ['json', 'jsonld'], 'jsonld'],
    ['application/problem+json', ['jsonld', 'json'], 'json'],
    ['application/*', ['md', 'json'], 'json'],
    ['text/*', all, 'md'],
    ['text/*;q=0.5, text/plain', all, 'txt'],
    ['text/*, text/markdown;q=0.1', all, 'txt'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', all, 'html'],
    ['application/json, text/plain, */*', ['svg', 'json'], 'json'],
    ['image/avif,image/webp,*/*;q=0.8', ['svg', 'json'], 'svg'],
    ['application/json;q=0, */*', all, 'md'],
    ['text/plain;q=0.2, text/markdown;q=0.3', all, 'md'],
    ['*/*', ['xenoform', 'json'], 'xenoform'],
    ['application/+json', ['md', 'json'], 'md']
  ]
  for (const [accept, formats, expected] of cases)
    t.equal(negotiateFormat(accept, formats, accepts), expected, `Accept: ${accept}`)
  t.end()
})

t.test('an Accept field that nothing satisfies, or that is no such field, gets the first format', t => {
  const fields = [
    '',
    'image/png',
    '*/*;q=0',
    'application/json;q=0',
    ';;;,,,',
    'text/html;q=high',
    'text/html;q=2',
    'text/html;q=-1',
    '"',
    'constructor'
  ]
  for (const accept of fields) {
    t.equal(negotiateFormat(accept, ['json', 'html'], accepts), 'json', `Accept: ${accept}`)
  }
  t.end()
})

t.test('Accept-Encoding chooses among the codings offered', t => {
  const cases: [string | undefined, Encoding[], Encoding][] = [
    [undefined, ['br', 'gzip'], 'identity'],
    ['', ['br', 'gzip'], 'identity'],
    ['gzip, deflate, br, zstd', ['br', 'gzip'], 'br'],
    ['gzip, deflate, br, zstd', ['gzip', 'br'], 'gzip'],
    ['gzip, br', ['gzip'], 'gzip'],
    ['gzip, br', [], 'identity'],
    ['br', ['gzip'], 'identity'],
    ['GZIP', ['gzip'], 'gzip'],
    ['x-gzip', ['gzip'], 'gzip'],
    ['br;q=0.5, gzip;q=0.8', ['br', 'gzip'], 'gzip'],
    ['br;q=0, gzip', ['br', 'gzip'], 'gzip'],
    ['gzip;q=0', ['br', 'gzip'], 'identity'],
    ['*', ['br', 'gzip'], 'br'],
    ['*;q=0', ['br', 'gzip'], 'identity'],
    ['br;q=0, *', ['br', 'gzip'], 'gzip'],
    ['identity', ['br', 'gzip'], 'identity'],
    ['gzip;q=0.5, identity', ['gzip'], 'identity'],
    ['gzip, identity;q=0.5', ['gzip'], 'gzip'],
    ['gzip;q=0.001', ['gzip'], 'gzip'],
    ['identity;q=0', ['gzip'], 'identity'],
    ['gzip;q=1.5, br;q=x', ['br', 'gzip'], 'identity']
  ]
  for (const [header, offered, expected] of cases)
    t.equal(chooseEncoding(header, offered), expected, `Accept-Encoding: ${String(header)}`)
  t.end()
})

t.test('never throws, and never sends a coding that was excluded', t => {
  const piece = fc.constantFrom('br', 'gzip', 'identity', '*', ',', ';', 'q=', '0', '1', '.5', ' ', 'x', '"')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const header = pieces.join('')
      const chosen = chooseEncoding(header, ['br', 'gzip'])
      negotiateFormat(header, ['json', 'md'], accepts)
      return chosen === 'identity' || chooseEncoding(`${header},${chosen};q=0`, ['br', 'gzip']) !== chosen
    }),
    { numRuns: 5000 }
  )
  t.end()
})
