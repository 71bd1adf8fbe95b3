import fc from 'fast-check'
import t from 'tap'
import { suggest, suggestion } from '../../../core/diagnostics/suggest.ts'

t.test('finds the nearest word, whatever its letter case', t => {
  t.equal(suggest('acess', ['path', 'access', 'kind']), 'access')
  t.equal(suggest('STATUSONLY', ['document', 'status-only']), 'status-only')
  t.equal(suggest('hte', ['the', 'hat']), 'the', 'two neighbours swapped are one edit')
  t.equal(suggest('everyone', ['public', 'user']), undefined)
  t.equal(suggest('', ['a']), undefined)
  t.end()
})

t.test('a known word is its own nearest word', t => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), words =>
      words.every(word => suggest(word, words) === word)
    )
  )
  t.end()
})

t.test('one wrong letter in a long word is always found', t => {
  const word = 'does_not_include'
  fc.assert(
    fc.property(
      fc.nat(word.length - 1),
      fc.stringMatching(/^[a-z]$/),
      (at, letter) =>
        suggest(word.slice(0, at) + letter + word.slice(at + 1), ['description', word, 'stability']) === word
    )
  )
  t.end()
})

t.test('its work is bounded', t => {
  t.equal(suggest('a'.repeat(65), ['a'.repeat(65)]), undefined, 'a long word is not compared')
  const many = Array.from({ length: 2000 }, (_, index) => `word-${index}-${'x'.repeat(20)}`)
  t.equal(suggest('kind', [...many, 'kind']), undefined, 'candidates after the thousandth are not looked at')
  t.end()
})

t.test('a short list is shown whole when nothing is near', t => {
  t.equal(suggestion('knd', ['kind', 'path']), 'Did you mean `kind`?')
  t.equal(suggestion('zzz', ['kind', 'path']), 'Known: `kind`, `path`.')
  t.equal(suggestion('zzz', []), undefined)
  t.end()
})
