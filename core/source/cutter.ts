/** What a cutter yields instead of a part when it needs the next piece. */
export const needsPiece = Symbol('the next piece')

/**
 * A cutter, or a part of one: gives parts and asks for pieces, of which `undefined` is the end. It asks for the first
 * piece before it gives anything.
 */
export type Cutting<Piece, Part, Result> = Generator<Part | typeof needsPiece, Result, Piece | undefined>

/** Cuts a whole document that comes in pieces of text or bytes into its parts, such as the members of a list. */
export type Cutter<Piece, Part> = Cutting<Piece, Part, void>

/** The parts that are complete with a piece; true when the cutter needs another one. */
function* complete<Piece, Part>(
  cutter: Cutter<Piece, Part>,
  piece: Piece | undefined
): Generator<Part, boolean, undefined> {
  for (let next = cutter.next(piece); next.done !== true; next = cutter.next()) {
    if (next.value !== needsPiece) yield next.value
    // At the end a cutter may want a piece more than once before it takes it for the end.
    else if (piece !== undefined) return true
  }
  return false
}

/** All parts one by one, from first to last. No piece is taken before the parts of the one before are. */
export function* cutInTurn<Piece, Part>(pieces: Iterable<Piece>, cutter: Cutter<Piece, Part>): Generator<Part> {
  // Nothing can be cut before the first piece is asked for.
  cutter.next()
  for (const piece of pieces) if (!(yield* complete(cutter, piece))) return
  yield* complete(cutter, undefined)
}

/** All parts that are complete with each piece, from first to last. */
export async function* cut<Piece, Part>(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  cutter: Cutter<Piece, Part>
): AsyncGenerator<readonly Part[]> {
  cutter.next()
  for await (const piece of pieces) yield [...complete(cutter, piece)]
  yield [...complete(cutter, undefined)]
}

/** All parts of a document that is there whole. */
export const cutWhole = <Piece, Part>(whole: Piece, cutter: Cutter<Piece, Part>): readonly Part[] => [
  ...cutInTurn([whole], cutter)
]
