import fc from 'fast-check'
import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { cut } from '../../../core/source/cutter.ts'
import { jsonMembers, NoMembers } from '../../../core/source/json-members.ts'
import { document, piecesOf } from '../../support/json-pieces.ts'

type Member = readonly [key: string | number, value: JsonValue]

async function membersOf(pieces: Iterable<Buffer>, path?: readonly string[]): Promise<readonly Member[]> {
  const all: Member[] = []
  for await (const found of cut(pieces, jsonMembers(path))) all.push(...found)
  return all
}

const members = (text: string, size: number, path?: readonly string[]): Promise<readonly Member[]> =>
  membersOf(piecesOf(text, [size]), path)

t.test('whatever the document and wherever it is cut, its members are those that JSON.parse finds', async t => {
  await fc.assert(
    fc.asyncProperty(document, async ({ text, sizes }) => {
      const parsed = JSON.parse(text) as object
      const found = await membersOf(piecesOf(text, sizes))
      t.equal(JSON.stringify(found.map(([, member]) => member)), JSON.stringify(Object.values(parsed)))
      t.same(
        found.map(([key]) => String(key)),
        Object.keys(parsed)
      )
      const within = JSON.stringify({ before: [parsed], at: { '': [1], deep: parsed }, after: parsed })
      t.equal(JSON.stringify(await membersOf(piecesOf(within, sizes), ['at', 'deep'])), JSON.stringify(found))
    }),
    { numRuns: 200 }
  )
})

t.test('only the value at the path comes out, and the rest is still checked', async t => {
  t.same(await members('{"a":[1,{"items":[9]}],"b":{"items":[1,2]},"c":"]"}', 1, ['b', 'items']), [
    [0, 1],
    [1, 2]
  ])
  t.same(await members('[[1],[2]]', 3, ['1']), [[0, 2]])
  await t.rejects(members('{"items":[1],"c":}', 5, ['items']), { name: 'SyntaxError' })
  await t.rejects(members('{"a":[1]}', 5, ['items']), {
    constructor: NoMembers,
    message: 'The document has no `items`.'
  })
  await t.rejects(members('{"items":"none"}', 5, ['items']), { message: /there must be `\[` or `\{`, not `"`/ })
})

t.test('JSON that is not valid is refused, also behind the last member', async t => {
  for (const text of [
    '',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[1 2]',
    '[1]]',
    '[1] x',
    '{"a"}',
    '{"a":1,}',
    '{a:1}',
    '{"a":1',
    '["a]',
    '[tru]',
    '[01]',
    '{1:2}',
    '"text"',
    '[{"a":]}]'
  ]) {
    await t.rejects(members(text, 2), { name: 'SyntaxError' }, text)
  }
})

t.test('bytes that are no UTF-8 are refused, and U+FFFD in valid text is a character like others', async t => {
  const [before, after] = [Buffer.from('["Nami ", "'), Buffer.from('"]')]
  const read = (...bytes: number[]): Promise<readonly Member[]> => membersOf([before, Buffer.from(bytes), after])
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80]])
    await t.rejects(read(...bytes), { constructor: NoMembers, message: 'The text is not valid UTF-8.' })
  t.same(await read(...Buffer.from('\ufffd')), [
    [0, 'Nami '],
    [1, '\ufffd']
  ])
})
