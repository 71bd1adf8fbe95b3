import fc from 'fast-check'
import t from 'tap'
import { cutItems, maxRecordBytes } from '../../../core/source/records.ts'
import { listText, piecesOf } from '../../support/json-pieces.ts'

/** Each item as `offset:line:column text`, and a problem as `line:column code message`. */
const cuts = (pieces: Iterable<Buffer>): readonly string[] =>
  [...cutItems(pieces)].map(cut =>
    'bytes' in cut
      ? `${cut.from}:${cut.line}:${cut.column} ${cut.bytes.toString()}`
      : `${cut.line}:${cut.column} ${cut.code} ${cut.message}`
  )

t.test('any list gives the items that JSON.parse finds, each with its place, wherever its pieces end', async t => {
  await fc.assert(
    fc.asyncProperty(listText, async ({ text, sizes }) => {
      const bytes = Buffer.from(text)
      const found = [...cutItems(piecesOf(bytes, sizes))].map(cut =>
        'bytes' in cut ? cut : (t.fail('no problem') as never)
      )
      t.equal(
        JSON.stringify(found.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown)),
        JSON.stringify(JSON.parse(text))
      )
      for (const { from, lineFrom, line, column, bytes: item } of found) {
        const before = bytes.toString('utf8', 0, from)
        const start = before.lastIndexOf('\n') + 1
        t.same(
          { lineFrom, line, column },
          {
            lineFrom: Buffer.byteLength(before.slice(0, start)),
            line: before.split('\n').length,
            column: before.length - start + 1
          }
        )
        t.ok(item.equals(bytes.subarray(from, from + item.length)))
        t.match(item.toString(), /^[^ \t\r\n]/, 'an item begins with what is not blank')
      }
    }),
    { numRuns: 100 }
  )
})

t.test('an item is what is between two commas, also when it is no JSON', async t => {
  for (const [text, ...wanted] of [
    ['[]'],
    [' [ ] \n'],
    ['[1,2]', '1:1:2 1', '3:1:4 2'],
    ['[1,]', '1:1:2 1', '3:1:4 '],
    ['[,1]', '1:1:2 ', '2:1:3 1'],
    ['[1 , ,\n2]', '1:1:2 1 ', '5:1:6 ', '7:2:1 2'],
    ['[{"a":1} {"b":2}, 3]', '1:1:2 {"a":1} {"b":2}', '18:1:19 3'],
    ['[{"a":[1}], 2]', '1:1:2 {"a":[1}]', '12:1:13 2'],
    ['[1}, {2]', '1:1:2 1}, {2'],
    ['["é😂", ,1]', '1:1:2 "é😂"', '11:1:9 ', '12:1:10 1'],
    [
      '[\n {"a": "é😂,]", "b": [1, {"c": "\\"]"}]} , 2,"\\\\",\n[]\n ,null ]\n',
      '3:2:2 {"a": "é😂,]", "b": [1, {"c": "\\"]"}]} ',
      '47:2:43 2',
      '49:2:45 "\\\\"',
      '55:3:1 []\n ',
      '60:4:3 null '
    ]
  ] as const)
    for (let size = 1; size <= Buffer.byteLength(text); size++) t.same(cuts(piecesOf(text, [size])), wanted, text)
})

t.test('what is no list is a problem with its place, and the last thing that is given', async t => {
  for (const [text, ...wanted] of [
    ['', '1:1 M113 The file is empty.'],
    [' \n ', '2:2 M113 The file is empty.'],
    ['\n{"a": 1}', '2:1 M118 The file must hold a list of entries.'],
    ['[', '1:2 M118 The list does not end.'],
    ['[1,\n', '1:1:2 1', '2:1 M118 The list does not end.'],
    ['[1,\n  2', '1:1:2 1', '2:3 M118 The list does not end.'],
    ['[1, "2]', '1:1:2 1', '1:5 M118 The list does not end.'],
    ['[1, 2}, 3]', '1:1:2 1', '1:5 M118 The list does not end.'],
    ['[1]\n ]', '1:1:2 1', '2:2 M118 More text follows the list.'],
    ['[] x', '1:4 M118 More text follows the list.']
  ] as const)
    for (let size = 1; size <= Math.max(1, text.length); size++) t.same(cuts(piecesOf(text, [size])), wanted, text)
})

t.test('an item that is too long is a problem where it begins, and no more is read', async t => {
  let read = 0
  function* endless(): Generator<Buffer> {
    yield Buffer.from('[1,\n  ["')
    for (; ; read++) yield Buffer.alloc(65_536, 'x')
  }
  t.same(cuts(endless()), ['1:1:2 1', `2:3 M109 The entry has more than ${maxRecordBytes} bytes.`])
  t.equal(read, maxRecordBytes / 65_536 - 1)
  const [item] = cutItems(piecesOf(`["${'x'.repeat(maxRecordBytes - 2)}"]`, [65_536]))
  t.equal(item !== undefined && 'bytes' in item && item.bytes.length, maxRecordBytes)
})
