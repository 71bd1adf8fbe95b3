import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { decodeText } from '../../../core/source/decode-text.ts'
import { parsePlainYaml } from '../../../core/source/plain-yaml.ts'
import { parseYaml } from '../../../core/source/read-yaml.ts'

const folders = ['manifests', 'corpora', 'core/standard', 'test/fixture']
const files = folders.flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.yaml'))
    .map(name => join(folder, name))
)
const texts = files.map(file => readFileSync(file, 'utf8'))
const parsed = (text: string) => parseYaml('a.yaml', decodeText(Buffer.from(text)))

/** Why the value of a text is not that of the parser; nothing where the text is left to the parser. */
function difference(text: string): string | undefined {
  const value = parsePlainYaml(text)
  if (value === undefined) return undefined
  const {
    value: expected,
    diagnostics: [wrong]
  } = parsed(text)
  if (wrong !== undefined) return wrong.message
  // Members have their order in both.
  return JSON.stringify(value) === JSON.stringify(expected) ? undefined : JSON.stringify(expected)
}

t.test('files of the project are read as the parser reads them, and nearly all without it', t => {
  t.same(
    files.filter((_, at) => difference(texts[at] ?? '') !== undefined),
    []
  )
  t.ok(texts.filter(text => parsePlainYaml(text) !== undefined).length > 0.95 * files.length)
  t.end()
})

/** Signs of YAML where they mean something, and what looks like them. */
const signs = [
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\n ',
  '\n  ',
  '- ',
  '-',
  '--- ',
  ': ',
  ':',
  '#',
  ' #',
  '# ',
  '"',
  "'",
  "''",
  '\\',
  '\\"',
  '\\n',
  '\\u00e9',
  '\\ud83d',
  '[',
  ']',
  '{',
  '}',
  '[]',
  '{}',
  ', ',
  ',',
  '|',
  '>',
  '|-',
  '>-',
  '|+',
  '>2',
  '&',
  '&a ',
  '*a',
  '!',
  '!t ',
  '%',
  '@',
  '`',
  '~',
  'null',
  'true',
  'yes',
  'on',
  '1',
  '0',
  '01',
  '-0',
  '-1',
  '+1',
  '1.5',
  '.5',
  '1_0',
  '1e3',
  '0x1',
  '0o7',
  '.inf',
  '.nan',
  '<<: ',
  '? ',
  '---\n',
  '...\n',
  'a: b',
  'a',
  'é',
  '音',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '=',
  '__proto__: 1',
  '2026-11-20',
  '12:30',
  '\n# c\n',
  '\n\n\n',
  'a:',
  'a :b',
  '- - a',
  '-- a',
  'k: |\n  t\n',
  'k: >\n  t\n  u\n\n  v\n',
  'k: "a\n  b"\n',
  "k: 'a\n  b'\n",
  '[a, b]',
  '{ a: b }',
  '{a: b}',
  '[-a]',
  '[- a]',
  '[a: b]',
  '"a": b',
  "'a': b",
  '[a,\n  b]',
  '9007199254740993',
  '\t',
  '\r\n'
]

/** A few lines of a file, with signs put in, characters taken out and lines moved. */
const edit = fc.record({
  at: fc.nat(400),
  out: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
  put: fc.oneof(fc.constant(''), fc.constantFrom(...signs)),
  copy: fc.boolean()
})
const edited = fc
  .tuple(fc.constantFrom(...texts), fc.nat(1000), fc.integer({ min: 2, max: 15 }), fc.array(edit, { maxLength: 4 }))
  .map(([text, from, count, edits]) => {
    const lines = text.split('\n')
    let result = lines
      .slice(from % lines.length)
      .slice(0, count)
      .join('\n')
    for (const { at, out, put, copy } of edits) {
      const place = at % (result.length + 1)
      const line = copy ? `${result.split('\n')[at % 3] ?? ''}\n` : ''
      result = result.slice(0, place) + put + line + result.slice(place + out)
    }
    return result
  })

t.test('whatever is changed in a file, it is read as the parser reads it, or left to the parser', t => {
  let read = 0
  fc.assert(
    fc.property(edited, text => {
      if (parsePlainYaml(text) !== undefined) read++
      const wrong = difference(text)
      if (wrong !== undefined) throw new Error(wrong)
    }),
    {
      numRuns: 2500,
      examples: signs.flatMap(sign =>
        [
          `a: ${sign}`,
          `- ${sign}`,
          `${sign}: a`,
          sign,
          `a: [${sign}]`,
          `a:\n  b\n  ${sign}\n`,
          `a: { ${sign}: ${sign} }`
        ].map(text => [text] as [string])
      )
    }
  )
  t.ok(read > 200, `${read} read`)
  t.end()
})

t.test('only spaces and tabs around the end of a line fold away (YAML 1.2 §6.5)', t => {
  for (const sign of ['\u00a0', '\u3000', '\u2028', '\ufeff'])
    for (const quote of ['"', "'"]) {
      for (const text of [`k: ${quote}a${sign}\n  b${quote}\n`, `k: ${quote}a\n  ${sign}b${quote}\n`])
        t.equal(difference(text), undefined, JSON.stringify(text))
      t.same(parsePlainYaml(`k: ${quote}a  \n  b${quote}\n`), { k: 'a b' })
    }
  t.end()
})

t.test('what YAML has and JSON has not is left to the parser', t => {
  for (const text of [
    'a: &x b',
    'a: *x',
    'a: !t b',
    'a: 1\na: 2',
    '{ a: 1, a: 2 }',
    '<<: { a: 1 }',
    '? a\n: b',
    '--- a',
    'a: b\n...',
    '%YAML 1.1\n---\na: b',
    'a: 01',
    'a: 0x1',
    'a: .inf',
    'a: 1e3',
    '1: a',
    'true: a',
    'null: a',
    'a:\n\t- b',
    `a: ${'['.repeat(80)}${']'.repeat(80)}`,
    'a: "\\ud83d"',
    'a: "\\u0000"',
    'a: 9007199254740993',
    '',
    '# only a comment'
  ]) {
    t.equal(parsePlainYaml(text), undefined, JSON.stringify(text))
  }
  // Words of YAML 1.1 and dates are texts in 1.2.
  t.same(parsePlainYaml('a: yes\nb: on\nc: 2026-11-20\nd: 12:30:45\ne: 1_000\nf: ~\ng:\nh: 0\ni: -1.50'), {
    a: 'yes',
    b: 'on',
    c: '2026-11-20',
    d: '12:30:45',
    e: '1_000',
    f: null,
    g: null,
    h: 0,
    i: -1.5
  })
  t.equal(Object.hasOwn(parsePlainYaml('__proto__: 1') as object, '__proto__'), true)
  t.end()
})
