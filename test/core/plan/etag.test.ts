import t from 'tap'
import fc from 'fast-check'
import { matchesIfNoneMatch, weakEtag } from '../../../core/plan/write.ts'
import { anyCharacter } from '../../support/any-character.ts'

t.test('a weak tag, the same for the same text', t => {
  t.match(weakEtag('text'), /^W\/"[0-9a-f]{32}"$/)
  t.equal(weakEtag('text'), weakEtag('text'))
  t.not(weakEtag('text'), weakEtag('text '))
  t.end()
})

t.test('If-None-Match by weak comparison', t => {
  const matches = ['W/"a"', '"a"', '*', ' * ', '"b", W/"a"', '"b","a"', ' , ,"b" ,\t"a" ', '"a",', '"a", broken']
  for (const header of matches) t.equal(matchesIfNoneMatch(header, 'W/"a"'), true, JSON.stringify(header))
  t.equal(matchesIfNoneMatch('W/"a"', '"a"'), true, 'a strong tag of ours')
  const others = [
    '',
    ' ',
    '"b"',
    'a',
    'W/a',
    'w/"a"',
    '"a',
    'a"',
    '"ab"',
    '"b" "a"',
    'broken, "a"',
    '"b, "a"',
    '"*"',
    '*, "b"',
    '"A"',
    '\u0000'
  ]
  for (const header of others) t.equal(matchesIfNoneMatch(header, 'W/"a"'), false, JSON.stringify(header))
  t.equal(matchesIfNoneMatch('"a,b"', 'W/"a,b"'), true, 'a comma inside a tag')
  t.equal(matchesIfNoneMatch('"x,a"', 'W/"a"'), false)
  t.end()
})

t.test('finds its tag in every list of tags, and only there', t => {
  const tag = fc.stringMatching(/^[!#-~]{0,6}$/).map(text => `"${text}"`)
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1 }), tag, fc.constantFrom(',', ', ', ' ,\t, '), (tags, other, comma) => {
      const header = tags.map((one, index) => (index % 2 === 0 ? one : `W/${one}`)).join(comma)
      return (
        tags.every(one => matchesIfNoneMatch(header, `W/${one}`)) &&
        matchesIfNoneMatch(header, other) === tags.includes(other)
      )
    }),
    { numRuns: 2000 }
  )
  t.end()
})

t.test('any text is answered, long ones too', t => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), header => {
      return typeof matchesIfNoneMatch(header, 'W/"a"') === 'boolean'
    }),
    { numRuns: 2000 }
  )
  t.equal(matchesIfNoneMatch(`${'"x", '.repeat(3000)}"a"`, 'W/"a"'), true)
  t.equal(matchesIfNoneMatch(`${' '.repeat(16_000)}x`, 'W/"a"'), false)
  t.end()
})
