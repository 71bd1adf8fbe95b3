import fc from 'fast-check'
import t from 'tap'
import { cut } from '../../../../core/source/cutter.ts'
import { jsonMembers, type JsonMember } from '../../../../surfaces/import/reading/json-members.ts'

function* piecesOf(text: string, size: number): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function members(text: string, size = 7, path?: readonly string[]): Promise<JsonMember[]> {
  const all: JsonMember[] = []
  for await (const found of cut(piecesOf(text, size), jsonMembers(path))) all.push(...found)
  return all
}

t.test('whatever the document and wherever it is cut, its members are those that JSON.parse finds', async t => {
  const value = fc.jsonValue({ stringUnit: 'grapheme' })
  const document = fc.oneof(fc.array(value), fc.dictionary(fc.string({ unit: 'grapheme' }), value))
  await fc.assert(
    fc.asyncProperty(document, fc.integer({ min: 1, max: 20 }), fc.constantFrom(0, 2), async (value, size, indent) => {
      const parsed = JSON.parse(JSON.stringify(value)) as object
      const found = await members(JSON.stringify(value, null, indent), size)
      t.equal(JSON.stringify(found.map(([, member]) => member)), JSON.stringify(Object.values(parsed)))
      t.same(
        found.map(([key]) => String(key)),
        Object.keys(parsed)
      )
    }),
    { numRuns: 200 }
  )
})

t.test('only the value at the path comes out, and the rest is still checked', async t => {
  t.same(await members('{"a":[1,{"cards":[9]}],"b":{"cards":[1,2]},"c":"]"}', 1, ['b', 'cards']), [
    [0, 1],
    [1, 2]
  ])
  t.same(await members('[[1],[2]]', 3, ['1']), [[0, 2]])
  await t.rejects(members('{"cards":[1],"c":}', 5, ['cards']), { name: 'SyntaxError' })
  await t.rejects(members('{"a":[1]}', 5, ['cards']), { message: 'The document has no `cards`.' })
  await t.rejects(members('{"cards":"none"}', 5, ['cards']), { message: /there must be `\[` or `\{`, not `"`/ })
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
  async function read(...bytes: number[]): Promise<JsonMember[]> {
    const all: JsonMember[] = []
    for await (const found of cut([before, Buffer.from(bytes), after], jsonMembers())) all.push(...found)
    return all
  }
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80]])
    await t.rejects(read(...bytes), { message: 'The text is not valid UTF-8.' })
  t.same(await read(...Buffer.from('\ufffd')), [
    [0, 'Nami '],
    [1, '\ufffd']
  ])
})
