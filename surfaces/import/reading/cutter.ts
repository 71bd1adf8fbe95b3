/** The value that a cutter yields, instead of a member, to request the next chunk. */
export const needsPiece = Symbol('the next piece')

/**
 * A generator that parses chunks into members: it yields members and `needsPiece`, and receives chunks, `undefined` at
 * the end. It requests the first chunk before it yields any member.
 */
export type Cutting<Piece, Member, Result> = Generator<Member | typeof needsPiece, Result, Piece | undefined>

/** Parses a document that arrives in chunks of text or bytes into members. */
export type Cutter<Piece, Member> = Cutting<Piece, Member, void>

/** Passes a chunk to the cutter and returns the members that are complete after it. */
function until<Piece, Member>(cutter: Cutter<Piece, Member>, piece: Piece | undefined): readonly Member[] {
  const members: Member[] = []
  for (let next = cutter.next(piece); next.done !== true; next = cutter.next()) {
    if (next.value !== needsPiece) members.push(next.value)
    // At the end, a cutter may ask for a chunk several times before it finishes.
    else if (piece !== undefined) break
  }
  return members
}

/** Yields, for each chunk, the members that are complete after it. */
export async function* cut<Piece, Member>(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  cutter: Cutter<Piece, Member>
): AsyncGenerator<readonly Member[]> {
  // Runs the cutter up to its first request for a chunk.
  cutter.next()
  for await (const piece of pieces) yield until(cutter, piece)
  yield until(cutter, undefined)
}

/** Returns all members of a document that is fully in memory. */
export function cutWhole<Piece, Member>(whole: Piece, cutter: Cutter<Piece, Member>): readonly Member[] {
  cutter.next()
  return [...until(cutter, whole), ...until(cutter, undefined)]
}
