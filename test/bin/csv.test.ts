import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { csv } from '../../bin/table.ts'

/** A reader of RFC 4180, independent of the writer. */
function parse(text: string): string[][] {
  const records: string[][] = [[]]
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  for (let at = 0; at < text.length; at = field.lastIndex) {
    field.lastIndex = at
    const found = field.exec(text)
    if (found === null) throw new Error(`No field at ${at}.`)
    records.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

t.test('every record ends with CRLF, values are quoted where necessary', t => {
  t.equal(
    csv(
      ['a', 'b'],
      [
        ['x,y', 'say "hi"'],
        ['', 'two\nlines']
      ]
    ),
    'a,b\r\n"x,y","say ""hi"""\r\n,"two\nlines"\r\n'
  )
  t.end()
})

t.test('what is written is what is read', t => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'é') })
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell)), rows => {
      assert.deepEqual(parse(csv(['a', 'b'], rows)), [['a', 'b'], ...rows])
    })
  )
  t.end()
})
