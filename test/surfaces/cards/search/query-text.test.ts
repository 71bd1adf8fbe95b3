import fc from 'fast-check'
import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import {
  asksField,
  maxDepth,
  maxQueryLength,
  maxTerms,
  operators,
  parseQueryText,
  printQuery,
  termsOf,
  type QueryNode
} from '../../../../surfaces/cards/search/query-text.ts'

type Mistake = Readonly<{
  code: string
  message: string
  details: Readonly<{ field: string; token: string; at: number }>
}>

function mistakeIn(text: string): Mistake | undefined {
  try {
    parseQueryText(text)
    return undefined
  } catch (error) {
    if (error instanceof SurfaceError) return error as unknown as Mistake
    throw error
  }
}

/** A tree without the places, which a printed query has elsewhere. */
const bare = (node: QueryNode): unknown =>
  JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === 'place' ? 0 : value)))

const place = { token: '', at: 1 }
const word = fc.stringMatching(/^[a-z0-9.'*-]{1,8}$/).filter(text => !text.startsWith('-'))
const term = fc.oneof(
  fc.record({
    kind: fc.constant('term' as const),
    field: fc.stringMatching(/^[a-z][a-z_]{0,8}$/),
    operator: fc.constantFrom(...operators),
    value: fc.oneof(word, fc.constantFrom('-1', 'OR', '2..4')),
    isQuoted: fc.boolean(),
    place: fc.constant(place)
  }),
  fc
    .record({ value: fc.oneof(word, fc.constantFrom('OR', 'two words', '-x', 'a(b)')), place: fc.constant(place) })
    .map(({ value, place }) => ({
      kind: 'term' as const,
      field: undefined,
      operator: ':' as const,
      value,
      isQuoted: !/^[a-z0-9.'*][a-z0-9.'*-]*$/.test(value),
      place
    }))
)
/** Trees as the parser makes them: an `and` has no `and` in it, and an `or` no `or`. */
const tree = (depth: number, without?: 'and' | 'or'): fc.Arbitrary<QueryNode> =>
  depth === 0
    ? term
    : fc.oneof(
        { weight: 2, arbitrary: term },
        {
          weight: 1,
          arbitrary: fc
            .oneof(term, tree(depth - 1))
            .filter(({ kind }) => kind !== 'not')
            .map(of => ({ kind: 'not' as const, of }))
        },
        ...(['and', 'or'] as const)
          .filter(kind => kind !== without)
          .map(kind => ({
            weight: 1,
            arbitrary: fc.array(tree(depth - 1, kind), { minLength: 2, maxLength: 3 }).map(of => ({ kind, of }))
          }))
      )

t.test('a tree is read again from its text', t => {
  fc.assert(
    fc.property(tree(3), node => {
      const text = printQuery(node)
      fc.pre(text.length <= maxQueryLength && termsOf(node).length <= maxTerms)
      const read = parseQueryText(text)
      t.same(bare(read), bare(node), text)
      t.equal(printQuery(read), text)
    })
  )
  t.end()
})

t.test('any text is a tree, or a mistake with its place in the text', t => {
  const piece = fc.constantFrom(
    '(',
    ')',
    '-',
    '"',
    'OR',
    'AND',
    ' ',
    'c:red',
    'cost<=3',
    ':',
    '..',
    '“',
    '😀',
    'luffy',
    '<'
  )
  const texts = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ maxLength: 60, unit: 'grapheme' }),
    fc.array(piece, { maxLength: 40 }).map(pieces => pieces.join(''))
  )
  fc.assert(
    fc.property(texts, text => {
      const mistake = mistakeIn(text)
      if (mistake === undefined) {
        for (const { place } of termsOf(parseQueryText(text)))
          t.ok(
            Array.from(text)
              .slice(place.at - 1)
              .join('')
              .startsWith(place.token),
            text
          )
        return
      }
      const { code, details } = mistake
      t.equal(code, 'INVALID_INPUT')
      t.equal(details.field, 'q')
      t.ok(details.at >= 1 && details.at <= Array.from(text).length + 1, text)
      t.equal(
        Array.from(text)
          .slice(details.at - 1, details.at - 1 + Array.from(details.token).length)
          .join(''),
        details.token,
        text
      )
    })
  )
  t.end()
})

t.test('mistakes name the token and its place', t => {
  const mistakes = [
    ['', '', 1, /The end is not expected/],
    ['a b OR', '', 7, /The end is not expected/],
    ['OR a', 'OR', 1, /`OR` is not expected/],
    ['a)', ')', 2, /`\)` is not expected\./],
    ['(a b', '', 5, /"\)"/],
    ['a "b c', '"', 3, /not closed/],
    ['é c: red', 'c:', 3, /no value/],
    ['😀 cost<=', 'cost<=', 3, /no value/],
    ['a - b', '', 4, /not expected/]
  ] as const
  for (const [text, token, at, message] of mistakes) {
    const mistake = mistakeIn(text)
    t.same({ token: mistake?.details.token, at: mistake?.details.at }, { token, at }, text)
    t.match(mistake?.message, message, text)
  }
  t.end()
})

t.test('a query is bounded in length, terms and depth', t => {
  t.match(mistakeIn('a'.repeat(maxQueryLength + 1)), { details: { field: 'q' } })
  t.equal(mistakeIn('a'.repeat(maxQueryLength)), undefined)
  t.equal(mistakeIn('a '.repeat(maxTerms)), undefined)
  t.match(mistakeIn('a '.repeat(maxTerms + 1)), { details: { token: 'a', at: 2 * maxTerms + 1 } })
  const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`
  t.equal(mistakeIn(nested(maxDepth)), undefined)
  t.match(mistakeIn(nested(maxDepth + 1)), { details: { token: '(', at: maxDepth + 1 } })
  t.match(mistakeIn('('.repeat(maxQueryLength)), { details: { token: '(' } })
  t.match(mistakeIn('-'.repeat(maxQueryLength)), { details: { at: 2 } })
  t.end()
})

t.test('a text asks for a field where one stands with an operator and a value, outside quotation marks', t => {
  for (const text of ['set:op01', 'a -c:red', '(cost<=3', 'set: op01 c:red', 'a "b c:d" e:f', 'x マス=ドライバー'])
    t.equal(asksField(text), true, text)
  for (const text of [
    '',
    'luffy',
    'a OR b',
    '-a (b)',
    'Chopper: Doctor',
    'set:',
    '"set:op01"',
    '3:15',
    'a-b:c',
    'a < b',
    ': x'
  ])
    t.equal(asksField(text), false, text)
  fc.assert(
    fc.property(tree(3), node => {
      const text = printQuery(node)
      fc.pre(text.length <= maxQueryLength && termsOf(node).length <= maxTerms)
      t.equal(
        asksField(text),
        termsOf(node).some(({ field }) => field !== undefined),
        text
      )
    })
  )
  t.end()
})

t.test('OR joins less than what stands together, and only in capitals', t => {
  t.equal(printQuery(parseQueryText('a b OR c')), 'a b OR c')
  t.match(parseQueryText('a b OR c'), { kind: 'or', of: [{ kind: 'and' }, { kind: 'term' }] })
  t.match(parseQueryText('trick or treat'), { kind: 'and', of: [{}, { value: 'or' }, {}] })
  t.equal(printQuery(parseQueryText('a AND ((b)) -(c OR “d e”)')), 'a b -(c OR "d e")')
  t.end()
})
