import fc from 'fast-check'
import t from 'tap'
import { isOneWay } from '../../../core/schema/one-way-pattern.ts'

t.test('patterns that match in one way only', t => {
  for (const pattern of [
    '^[0-9a-f]{64}$',
    '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    '^/api/v1/[a-z/-]+$',
    '^[a-z]{2,3}(-[a-z0-9]{2,8})*$',
    '^(@[a-z0-9-]+/)?[A-Z.-]+$',
    '^[^/]+$',
    '^(?:a|b)*$',
    '^a{0,3}b',
    '^(?<year>\\d{4})-\\d\\d$',
    '^$',
    '^a{2,}$',
    '^(a$|b)'
  ])
    t.ok(isOneWay(pattern), pattern)
  t.end()
})

t.test('patterns that need the general checker', t => {
  for (const pattern of [
    '^(a+)+$',
    '^(a|a)*$',
    '^(a*)*$',
    '^a*a*$',
    '^a?a?$',
    '^(a|ab)*$',
    '^(a?)*$',
    'a+',
    '^a|b',
    '^(?!b)a$',
    '^(a)\\1$',
    '^a+?$',
    '^\\p{L}+$',
    '^\\bword',
    '^a$b',
    '^[a-z]*[^0-9]*$',
    '^é*[ü]*$',
    '^[^é]*é',
    '^a{9999}$'
  ])
    t.notOk(isOneWay(pattern), pattern)
  t.end()
})

t.test('what it calls one way never has two ways', t => {
  // Counts the ways a text is matched by expanding the pattern by hand; small alphabets make ambiguity likely.
  const { tree } = fc.letrec<{ tree: string }>(tie => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'b', '[ab]'),
      fc.tuple(tie('tree'), tie('tree')).map(([x, y]) => `${x}${y}`),
      fc.tuple(tie('tree'), tie('tree')).map(([x, y]) => `(?:${x}|${y})`),
      fc.tuple(tie('tree'), fc.constantFrom('*', '+', '?')).map(([x, count]) => `(?:${x})${count}`)
    )
  }))
  fc.assert(
    fc.property(tree, body => {
      if (!isOneWay(`^${body}$`)) return true
      return ['a', 'ab', 'aab', 'abab', 'aaaa', 'bbbb', 'abba'].every(text => ways(body, text) <= 1)
    }),
    { numRuns: 400 }
  )
  t.end()
})

/** Number of ways a pattern of letters, classes, groups and `*+?` matches a whole text. */
function ways(pattern: string, text: string): number {
  let at = 0
  type Matcher = (from: number) => number[]
  const choice = (): Matcher => {
    const options = [sequence()]
    while (pattern[at] === '|') {
      at++
      options.push(sequence())
    }
    return from => options.flatMap(option => option(from))
  }
  const sequence = (): Matcher => {
    const parts: Matcher[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(counted(atom()))
    return from => parts.reduce((ends, part) => ends.flatMap(end => part(end)), [from])
  }
  const atom = (): Matcher => {
    if (pattern.startsWith('(?:', at)) {
      at += 3
      const inner = choice()
      at++
      return inner
    }
    const letters = pattern.startsWith('[ab]', at) ? 'ab' : (pattern[at] ?? '')
    at += letters === 'ab' ? 4 : 1
    return from => (letters.includes(text[from] ?? '-') ? [from + 1] : [])
  }
  const counted = (part: Matcher): Matcher => {
    const count = '*+?'.includes(pattern[at] ?? '-') ? pattern[at++] : undefined
    if (count === undefined) return part
    const more = (from: number): number[] =>
      part(from)
        .filter(end => end > from)
        .flatMap(end => (count === '?' ? [end] : [end, ...more(end)]))
    return count === '+' ? more : from => [from, ...more(from)]
  }
  return choice()(0).filter(end => end === text.length).length
}
