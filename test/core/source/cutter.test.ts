import t from 'tap'
import { cut, cutInTurn, cutWhole, needsPiece, type Cutter } from '../../../core/source/cutter.ts'

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
  t.same([...cutInTurn(['a,b', 'c,', 'd'], words())], ['a', 'bc', 'd'])
  t.same(cutWhole('a,bc,d', words()), ['a', 'bc', 'd'])
  t.same([...cutInTurn([], words())], [''])
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
  const parts = cutInTurn(pieces(), words())
  t.same([parts.next().value, parts.next().value, taken], ['a', 'b', ['a,b,c']])
  t.same([parts.next().value, taken], ['cd', ['a,b,c', 'd,']])
  t.equal(parts.next().value, 'e')
  t.same([parts.next().done, taken.length, isClosed], [true, 4, true])
})
