import fc from 'fast-check'
import t from 'tap'
import { editDistance, keyHint, suggest, suggestionHint } from '../../../core/diagnostics/suggest.ts'

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
  t.equal(suggestionHint('knd', ['kind', 'path']), 'Did you mean `kind`?')
  t.equal(suggestionHint('zzz', ['kind', 'path']), 'Known: `kind`, `path`.')
  t.equal(suggestionHint('zzz', []), undefined)
  t.end()
})

/** The definition (optimal string alignment), without any bound. */
function plain(a: string, b: string): number {
  const known = new Map<string, number>()
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const key = `${i} ${j}`
    const before = known.get(key)
    if (before !== undefined) return before
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const edits = Math.min(
      of(i - 1, j) + 1,
      of(i, j - 1) + 1,
      of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      ...(isSwap ? [of(i - 2, j - 2) + 1] : [])
    )
    known.set(key, edits)
    return edits
  }
  return of(a.length, b.length)
}

t.test('counts edits exactly up to the limit, and says one more above it', t => {
  t.equal(editDistance('kitten', 'sitting', 5), 3)
  t.equal(editDistance('histroy', 'history', 3), 1, 'a swap is one edit')
  t.equal(editDistance('', 'abc', 2), 3)
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 6 }), (a, b, limit) => {
      t.equal(editDistance(a, b, limit), Math.min(plain(a, b), limit + 1), `${a} ${b} ${limit}`)
    })
  )
  t.end()
})

t.test('the keys that an object may have are listed where none is similar, within a length', t => {
  t.equal(keyHint('titel', ['title', 'order']), 'Did you mean `title`?')
  t.equal(keyHint('quite-other', ['title', 'order']), 'Known: `title`, `order`.')
  const many = Array.from({ length: 400 }, (_, index) => `field_${String(index)}`)
  const listed = keyHint('quite-other', many) ?? ''
  t.match(listed, /^Known: `field_0`, `field_1`, .* and \d+ more\.$/)
  t.ok(listed.length < 700, `${listed.length} characters`)
  t.equal(keyHint('quite-other', []), undefined)
  t.end()
})
