/** What a cutter yields instead of a member when it needs the next piece. */
export const needsPiece = Symbol('the next piece')

/**
 * A cutter, or a part of one: gives members and asks for pieces, of which `undefined` is the end. It asks for the first
 * piece before it gives anything.
 */
export type Cutting<Piece, Member, Result> = Generator<Member | typeof needsPiece, Result, Piece | undefined>

/** Cuts a whole document that comes in pieces of text or bytes into members. */
export type Cutter<Piece, Member> = Cutting<Piece, Member, void>

/** The members that are complete with a piece. */
function until<Piece, Member>(cutter: Cutter<Piece, Member>, piece: Piece | undefined): readonly Member[] {
  const members: Member[] = []
  for (let next = cutter.next(piece); next.done !== true; next = cutter.next()) {
    if (next.value !== needsPiece) members.push(next.value)
    // At the end a cutter may want a piece more than once before it takes it for the end.
    else if (piece !== undefined) break
  }
  return members
}

/** All members that are complete with each piece, from first to last. */
export async function* cut<Piece, Member>(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  cutter: Cutter<Piece, Member>
): AsyncGenerator<readonly Member[]> {
  // Nothing can be cut before the first piece is asked for.
  cutter.next()
  for await (const piece of pieces) yield until(cutter, piece)
  yield until(cutter, undefined)
}

/** All members of a document that is there whole. */
export function cutWhole<Piece, Member>(whole: Piece, cutter: Cutter<Piece, Member>): readonly Member[] {
  cutter.next()
  return [...until(cutter, whole), ...until(cutter, undefined)]
}
