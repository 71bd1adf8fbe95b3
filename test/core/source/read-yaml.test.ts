import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { readYaml } from '../../../core/source/read-yaml.ts'

const read = (text: string) => readYaml('a.yaml', Buffer.from(text))
const codes = (text: string): string[] => read(text).diagnostics.map(one => one.code)

t.test('every plain JSON value is read back as it was', t => {
  const plain = fc.jsonValue()
  fc.assert(
    fc.property(plain, value => {
      const source = readYaml('a.yaml', Buffer.from(JSON.stringify(value)))
      // What JSON text cannot carry exactly is refused, never changed.
      return source.value === undefined
        ? source.diagnostics.length > 0
        : JSON.stringify(source.value) === JSON.stringify(value)
    })
  )
  t.end()
})

t.test('the place of a member is the place of its text', t => {
  const words = fc.stringMatching(/^[a-z]{1,8}$/)
  fc.assert(
    fc.property(fc.dictionary(words, fc.dictionary(words, words, { minKeys: 1 }), { minKeys: 1 }), value => {
      const text = stringify(value, { defaultStringType: 'PLAIN' })
      const source = read(text)
      if (source.value === undefined) return true
      return Object.entries(value).every(([outer, members]) =>
        Object.keys(members).every(inner => {
          const { line, column, length } = source.locate([outer, inner], 'key')
          const found = text.split('\n')[line - 1]?.slice(column - 1, column - 1 + length)
          return found === inner || found === `"${inner}"`
        })
      )
    })
  )
  t.end()
})

t.test('a pointer that leads nowhere is placed at its nearest parent', t => {
  const source = read('a:\n  b:\n    - c\n')
  t.match(source.locate(['a', 'b', 0]), { line: 3, column: 7, length: 1 })
  t.match(source.locate(['a', 'b', 7, 'x']), { line: 2, column: 3 })
  t.match(source.locate(['z']), { line: 1, column: 1 })
  t.end()
})

t.test('YAML 1.2: yes, no and dates stay text', t => {
  t.same(read('a: no\nb: yes\nc: 2026-11-20\nd: true\ne: ~\n').value, {
    a: 'no',
    b: 'yes',
    c: '2026-11-20',
    d: true,
    e: null
  })
  t.same(read('<<: { a: 1 }\n').value, { '<<': { a: 1 } }, 'nothing is merged')
  t.end()
})

t.test('a key named as an object member is plain data', t => {
  const { value } = read('__proto__: { admin: true }\nconstructor: 1\n')
  t.same(Object.keys(value as object), ['__proto__', 'constructor'])
  t.equal((value as { admin?: boolean }).admin, undefined)
  t.end()
})

t.test('values are frozen', t => {
  const { value } = read('a: [1]\n')
  t.ok(Object.isFrozen(value))
  t.ok(Object.isFrozen((value as { a: unknown[] }).a))
  t.end()
})

t.test('no text makes it throw', t => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), bytes => Array.isArray(readYaml('a.yaml', bytes).diagnostics))
  )
  const yamlish = fc.array(
    fc.constantFrom(
      '- ',
      '? ',
      ': ',
      'a',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&b ',
      '*b',
      '!t ',
      '|',
      '>',
      '#',
      '\t',
      '---',
      '...',
      '%'
    ),
    { maxLength: 60 }
  )
  fc.assert(fc.property(yamlish, parts => Array.isArray(read(parts.join('')).diagnostics)))
  t.end()
})

t.test('hostile files end in a diagnostic', t => {
  t.same(codes('- '.repeat(100_000)), ['M110'])
  t.same(codes('['.repeat(200_000)), ['M110'])
  t.ok(codes('? [a]\n'.repeat(30_000)).length <= 100)
  const keys = Array.from({ length: 30_000 }, (_, index) => `k${index.toString(36)}: 1\n`).join('')
  t.same(codes(keys), [], 'many different keys are only large')
  t.same(codes('a: 1\na: 2\na: 3\n'), ['M102', 'M102'])
  t.end()
})
