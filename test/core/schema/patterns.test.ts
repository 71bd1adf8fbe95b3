import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { hasBoundedBacktracking, isUnambiguous, isSafePattern, unsafePatterns } from '../../../core/schema/patterns.ts'
import { program } from '../../support/program.ts'
import { scratchFolder } from '../../support/scratch.ts'

const refused = (pattern: string): boolean => unsafePatterns({ type: 'string', pattern }).length > 0

t.test('patterns that backtrack without bound are refused', t => {
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^([a-z]+)*$', '^.*.*=.*$', '^(a|b|ab)*c$'])
    t.ok(refused(pattern), pattern)
  t.end()
})

t.test('the usual patterns are accepted', t => {
  for (const pattern of [
    '^[0-9a-f]{64}$',
    '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    '^[a-z]{2}(_[a-z]+)?$',
    '^/',
    '^[^/]+$',
    '^\\d{4}-\\d{2}-\\d{2}$'
  ])
    t.notOk(refused(pattern), pattern)
  t.end()
})

t.test('every pattern of a schema is looked at, and nothing that is only called so', t => {
  const bad = '^(a+)+$'
  const found = unsafePatterns({
    type: 'object',
    properties: {
      pattern: { type: 'string', pattern: bad },
      list: { type: 'array', items: { anyOf: [{ type: 'string', pattern: bad }] } }
    },
    patternProperties: { [bad]: { type: 'string' } },
    enum: [{ pattern: bad }],
    default: { pattern: bad }
  })
  t.same(
    found.map(({ pointer }) => pointer.join('/')),
    ['properties/pattern/pattern', 'properties/list/items/anyOf/0/pattern', `patternProperties/${bad}`]
  )
  t.end()
})

t.test(
  'where the general checker is not installed, all that is bundled is still accepted, and what only it could show is refused',
  t => {
    const hide = join(scratchFolder(t), 'hide.cjs')
    writeFileSync(
      hide,
      `const { Module } = require('node:module')
const resolve = Module._resolveFilename
Module._resolveFilename = (name, ...rest) => { if (name === 'recheck') throw Object.assign(new Error('hidden'), { code: 'MODULE_NOT_FOUND' }); return resolve(name, ...rest) }
`
    )
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, ['--require', hide, ...args], { cwd: packageFolder, encoding: 'utf8' })
    t.match(run(...program('bin/commands/pantry'), 'validate'), { status: 0, stderr: / 0 errors, 0 warnings/ })
    const harder = '^\\p{L}+$'
    t.ok(isSafePattern(harder))
    const [module = ''] = program('core/schema/patterns').slice(-1)
    t.match(
      run(
        '--input-type=module',
        '--eval',
        `console.log((await import(${JSON.stringify(module)})).isSafePattern(${JSON.stringify(harder)}))`
      ),
      { status: 0, stdout: 'false\n' }
    )
    t.end()
  }
)

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
    t.ok(isUnambiguous(pattern), pattern)
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
    t.notOk(isUnambiguous(pattern), pattern)
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
      if (!isUnambiguous(`^${body}$`)) return true
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

t.test('patterns of few ways, anchored or not', t => {
  for (const pattern of [
    '\\S',
    '\\.(gif|jpe?g)($|[?#])',
    'a|b',
    '^(?:[0-9]{1,6}|[A-Z*∞]{1,3}|[0-9]{0,3}[+-][0-9A-Z]{0,3})$',
    '^a?a?$',
    '^(a$|b)'
  ])
    t.ok(hasBoundedBacktracking(pattern), pattern)
  t.end()
})

t.test('patterns without an end, or of too many ways', t => {
  for (const pattern of [
    'a+',
    '^a*$',
    'a{2,}',
    '(a*){0}',
    '^(?:a?){30}$',
    '^(?:[a-z]{1,10}){4}$',
    '(a|b){0,12}',
    '^a{9999}$',
    '(?!b)a',
    '^a|b',
    ''
  ])
    t.equal(hasBoundedBacktracking(pattern), pattern === '', pattern)
  t.end()
})
