import t from 'tap'
import { displayWidth, table } from '../../bin/table.ts'

t.test('columns are aligned, and no line ends in a space', t => {
  t.equal(
    table(
      ['ID', 'NAME'],
      [
        ['a', 'one'],
        ['long-id', '']
      ]
    ),
    'ID       NAME\na        one\nlong-id'
  )
  t.end()
})

t.test('wide characters take two columns, marks none', t => {
  t.equal(displayWidth('abc'), 3)
  t.equal(displayWidth('ナミ'), 4)
  t.equal(displayWidth('e\u0301'), 1)
  t.equal(displayWidth('🃏'), 2)
  const lines = table(
    ['NAME', 'X'],
    [
      ['ナミ', '1'],
      ['Nami', '2']
    ]
  ).split('\n')
  t.strictSame(lines, ['NAME  X', 'ナミ  1', 'Nami  2'])
  t.end()
})

t.test('a value cannot steer the terminal', t => {
  t.equal(table(['A'], [['\u001b[31mred\nnext']]), 'A\n\ufffd[31mred\ufffdnext')
  t.end()
})
