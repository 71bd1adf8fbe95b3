import fc from 'fast-check'
import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import {
  cut,
  cutSync,
  cutWhole,
  endOf,
  jsonMembers,
  JsonParts,
  needsPiece,
  NoMembers,
  type Cutter
} from '../../../core/source/cut-json.ts'
import { document, piecesOf } from '../../support/json-pieces.ts'

/** Cuts texts at each comma; a full stop ends all. */
function* words(): Cutter<string, string> {
  let word = ''
  for (let piece = yield needsPiece; piece !== undefined; piece = yield needsPiece) {
    const [first = '', ...rest] = piece.split('.', 1)[0]?.split(',') ?? []
    word += first
    for (const next of rest) {
      yield word
      word = next
    }
    if (piece.includes('.')) break
  }
  yield word
  // At the end a cutter may ask again.
  yield needsPiece
}

t.test('parts come out in order, one by one or as many as are complete with a piece', async t => {
  t.same([...cutSync(['a,b', 'c,', 'd'], words())], ['a', 'bc', 'd'])
  t.same(cutWhole('a,bc,d', words()), ['a', 'bc', 'd'])
  t.same([...cutSync([], words())], [''])
  const parts: (readonly string[])[] = []
  for await (const part of cut(['a,b', 'c,d,', 'e'], words())) parts.push(part)
  t.same(parts, [['a'], ['bc', 'd'], [], ['e']])
})

t.test('no piece is taken before it is needed, and none behind the end', async t => {
  const taken: string[] = []
  let isClosed = false
  function* pieces(): Generator<string> {
    try {
      for (const piece of ['a,b,c', 'd,', 'e.', 'f']) {
        taken.push(piece)
        yield piece
      }
    } finally {
      isClosed = true
    }
  }
  const parts = cutSync(pieces(), words())
  t.same([parts.next().value, parts.next().value, taken], ['a', 'b', ['a,b,c']])
  t.same([parts.next().value, taken], ['cd', ['a,b,c', 'd,']])
  t.equal(parts.next().value, 'e')
  t.same([parts.next().done, taken.length, isClosed], [true, 4, true])
})

/** The parts of a list or an object as they are written, each until it ends so. */
function* partsOf(json: JsonParts, most?: number): Cutter<Buffer, string> {
  const isObject = (json.sign() ?? (yield* json.nextSign())) === '{'
  json.skip()
  const sign = json.sign() ?? (yield* json.nextSign())
  for (let next = sign === ']' || sign === '}' ? '' : ','; next === ',';) {
    for (const ends of isObject ? [endOf.name, endOf.value] : [endOf.value]) {
      const part = json.part(ends) ?? (yield* json.rest(ends, most))
      yield part.toString()
      if (typeof part === 'string') return
      if (ends === endOf.name) json.skip()
    }
    next = json.sign() ?? (yield* json.nextSign())
    json.skip()
  }
}

/** A value that is made of its parts, and theirs, again and again: JSON.parse reads texts, numbers and words only. */
function built(text: string, sizes: readonly number[]): JsonValue {
  const sign = text.trimStart().charAt(0)
  if (sign !== '[' && sign !== '{') return JSON.parse(text) as JsonValue
  const parts = [...cutSync(piecesOf(text, sizes), partsOf(new JsonParts()))]
  if (sign === '[') return parts.map(part => built(part, sizes))
  return Object.fromEntries(
    Array.from({ length: parts.length / 2 }, (_, index) => [
      JSON.parse(parts[2 * index] ?? '') as string,
      built(parts[2 * index + 1] ?? '', sizes)
    ])
  )
}

t.test('any document that is cut into its parts, and these into theirs, is what JSON.parse makes of it', async t => {
  fc.assert(
    fc.property(document, ({ text, sizes }) => {
      t.equal(JSON.stringify(built(text, sizes)), JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: 200 }
  )
})

t.test('each byte is used once and in order, wherever the pieces end', async t => {
  fc.assert(
    fc.property(document, ({ text, sizes }) => {
      const used: Buffer[] = []
      const json = new JsonParts((bytes, from, to) => {
        used.push(bytes.subarray(from, to))
      })
      function* all(): Cutter<Buffer, string> {
        yield* partsOf(json)
        while ((json.sign() ?? (yield* json.nextSign())) !== '') json.skip()
      }
      for (const part of cutSync(piecesOf(text, sizes), all())) t.not(part, 'no end')
      t.equal(Buffer.concat(used).toString(), text)
    }),
    { numRuns: 100 }
  )
})

t.test('a part that does not end, or has too many bytes, is none', async t => {
  const parts = (text: string, size: number, most?: number): readonly string[] => [
    ...cutSync(piecesOf(text, [size]), partsOf(new JsonParts(), most))
  ]
  t.same(parts('[1,"]', 2), ['1', 'no end'])
  t.same(parts('[1,{"a":"\\"}]', 3), ['1', 'no end'])
  t.same(parts('["1234", 1]', 2, 3), ['too long'])
  t.same(parts('["1234", 1]', 2, 6), ['"1234"', '1'])
  t.same(parts('[        12]', 2, 3), ['12'], 'blanks before a part are not counted')
  t.same(cutWhole(Buffer.from('["1234"]'), partsOf(new JsonParts(), 3)), ['"1234"'], 'nothing is held')
})

t.test('what a part ends with says who asks: an item of a list may hold a brace that was never opened', async t => {
  const part = (ends: number): string | undefined => {
    const json = new JsonParts()
    function* one(): Cutter<Buffer, string> {
      const found = json.part(ends) ?? (yield* json.rest(ends))
      yield found.toString()
    }
    return cutWhole(Buffer.from(' "a" : 1 } ] ,'), one())[0]
  }
  t.equal(part(endOf.name), '"a" ')
  t.equal(part(endOf.value), '"a" : 1 ')
  t.equal(part(endOf.item), 'no end', 'the brackets around it are no longer known')
})

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
