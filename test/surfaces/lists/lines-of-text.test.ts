import fc from 'fast-check'
import t from 'tap'
import { readList } from '../../../surfaces/lists/read-list.ts'

const readLines = (text: string) => readList(text).lines

t.test('how many, and of what', t => {
  for (const [text, count, said] of [
    ['OP01-001', 1, { number: 'OP01-001' }],
    ['2 OP01-001', 2, { number: 'OP01-001' }],
    ['2x OP01-001', 2, { number: 'OP01-001' }],
    ['3 x op-op01-001-en', 3, { sku: 'op-op01-001-en' }],
    ['4xOP01-016', 4, { number: 'OP01-016' }],
    ['4XST01-001', 4, { number: 'ST01-001' }],
    ['2xabc', 1, { number: '2xabc' }],
    ['OP01-001 x4', 4, { number: 'OP01-001' }],
    ['  OP01-001 × 2 ', 2, { number: 'OP01-001' }],
    ['151 005/165', 151, { number: '005/165' }]
  ] as const)
    t.match(readLines(text), [{ line: 1, text: text.trim(), count, ...said }], text)
  for (const text of ['0 OP01-001', '1000 OP01-001', `1 ${'a'.repeat(161)}`])
    t.equal(readLines(text)[0]?.count, undefined, text)
  t.match(readLines('# deck\r\n\n// side note\r2 A1\n'), [{ line: 4, text: '2 A1', count: 2, number: 'A1' }])
  t.end()
})

t.test('every line that says something is answered once, with its number', t => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ maxLength: 30 }).filter(line => !/[\r\n,;\t]/.test(line)),
        { maxLength: 20 }
      ),
      lines => {
        const said = lines.flatMap((line, index) =>
          line.trim() === '' || /^(#|\/\/)/.test(line.trim()) ? [] : [index + 1]
        )
        t.same(
          readLines(lines.join('\n')).map(({ line }) => line),
          said
        )
      }
    )
  )
  t.end()
})

t.test('a line that is longer than any card is told at once', t => {
  const long = `a${' '.repeat(260_000)}b`
  t.match(readLines(long), [{ line: 1, text: 'Line 1', count: undefined }])
  t.end()
})
