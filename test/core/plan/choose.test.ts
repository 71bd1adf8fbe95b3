import fc from 'fast-check'
import t from 'tap'
import type { Format } from '../../../core/format/index.ts'
import { chooseEncoding, negotiateFormat, negotiateLanguage, type Encoding } from '../../../core/plan/choose.ts'
import { anyCharacter } from '../../support/any-character.ts'

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

t.test('Accept-Language chooses among the declared languages, the default first', t => {
  const cases: [string, string[], string][] = [
    ['de', ['en', 'de'], 'de'],
    ['DE-at', ['en', 'de'], 'de'],
    ['de-CH-1996', ['en', 'de', 'de-CH'], 'de-CH'],
    ['zh-Hant-CN-x-private1-private2', ['en', 'zh', 'zh-Hant'], 'zh-Hant'],
    ['zh-Hans-x-a', ['en', 'zh-Hans'], 'zh-Hans'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', ['en', 'de'], 'en'],
    ['en;q=0.5, de;q=0.7', ['en', 'de'], 'de'],
    ['de;q=0.5, fr;q=0.5', ['en', 'fr', 'de'], 'de'],
    ['pt', ['en', 'pt-BR'], 'pt-BR'],
    ['pt, en;q=0.5', ['en', 'pt-BR'], 'pt-BR'],
    ['p', ['en', 'pt-BR'], 'en'],
    ['*', ['en', 'de'], 'en'],
    ['de;q=0.3, *;q=0.8', ['de', 'fr'], 'fr'],
    ['de, *;q=0', ['en', 'fr'], 'en'],
    ['en;q=0', ['en', 'de'], 'de'],
    ['en;q=0, de;q=0', ['en', 'de'], 'en'],
    ['de-CH;q=0, de', ['en', 'de-CH', 'de'], 'de'],
    ['de;q=0, de-CH', ['en', 'de', 'de-CH'], 'de-CH'],
    ['de;q=0, *', ['en', 'de'], 'en'],
    ['*-CH', ['en', 'de-CH'], 'en'],
    ['de-*-CH', ['en', 'de-CH'], 'de-CH'],
    ['de-*', ['en', 'de'], 'de']
  ]
  for (const [header, languages, expected] of cases)
    t.equal(negotiateLanguage(header, languages), expected, `Accept-Language: ${header} of ${languages.join(', ')}`)
  t.end()
})

t.test('what is no such field, or asks for what is not declared, gets the default', t => {
  const fields = [
    '',
    ' ',
    'it',
    'de_CH',
    'deutschesprache',
    ';q=1',
    'de;q=2',
    'de;q=high',
    '-',
    'de-',
    '-de',
    '"de"',
    '__proto__',
    'constructor',
    ',,,;;;',
    'x-de',
    'i-klingon',
    'de\u0000',
    'ＤＥ'
  ]
  for (const field of fields) t.equal(negotiateLanguage(field, ['en', 'de']), 'en', JSON.stringify(field))
  t.end()
})

const tags = ['en', 'de', 'de-CH', 'de-CH-1996', 'fr', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'sr-Latn']
const range = fc.oneof(
  fc.constantFrom(...tags, '*', '*-CH', 'de-*', 'de-*-1996', 'x-a', 'pt', 'zh', 'DE', 'en-US-x-twain'),
  fc.stringMatching(/^[a-z]{1,8}(-[a-z0-9]{1,8}){0,4}$/),
  fc.string()
)
const weight = fc.oneof(
  fc.constantFrom('', ';q=0', ';q=1', ';q=0.5', ';q=0.001', '; q=0.7', ';Q=0.3', ';q=1.5', ';q='),
  fc.string()
)
const field = fc.oneof(
  fc.array(fc.tuple(range, weight)).map(members => members.map(parts => parts.join('')).join(',')),
  fc.string(),
  fc.string({ unit: anyCharacter, maxLength: 400 })
)
const declared = fc.uniqueArray(fc.constantFrom(...tags), { minLength: 1 })

t.test('whatever the field, the answer is one of the declared languages', async t => {
  fc.assert(
    fc.property(field, declared, (header, languages) => languages.includes(negotiateLanguage(header, languages))),
    { numRuns: 2000 }
  )
  t.pass('2000 fields')
})

t.test('a language that the field names with the highest weight is the answer', async t => {
  fc.assert(
    fc.property(declared, fc.array(fc.constantFrom(...tags)), fc.nat(), (languages, others, at) => {
      const wanted = languages[at % languages.length] ?? ''
      const header = [...others.filter(tag => tag !== wanted).map(tag => `${tag};q=0.9`), wanted].join(', ')
      return negotiateLanguage(header, languages) === wanted
    })
  )
  t.pass()
})

t.test('the longest header that the server reads gets a declared language too', async t => {
  const longest = 16 * 1024
  const fill = (member: (index: number) => string): string =>
    Array.from({ length: longest }, (_, index) => member(index))
      .join(',')
      .slice(0, longest)
  const fields = [
    fill(() => 'a'),
    fill(() => ''),
    fill(() => 'x-a;q=0'),
    fill(index => `de-${index}`),
    fill(() => '*;q=0.1'),
    fill(() => 'a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p'),
    'a-'.repeat(longest / 2),
    '*-'.repeat(longest / 2),
    ';'.repeat(longest),
    'de'.padEnd(longest),
    `de;${'q=0;'.repeat(longest / 4)}`,
    '-'.repeat(longest)
  ]
  for (const header of fields) t.ok(tags.includes(negotiateLanguage(header, tags)), header.slice(0, 20))
})

t.test('only the first fifty ranges are looked at', async t => {
  const after = (ranges: number): string => [...Array<string>(ranges).fill('it'), 'de'].join(',')
  t.equal(negotiateLanguage(after(49), ['en', 'de']), 'de')
  t.equal(negotiateLanguage(after(50), ['en', 'de']), 'en')
})
