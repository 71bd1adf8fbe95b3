/** What a cutter says instead of a member when it needs the next piece. */
export const wanting = Symbol('the next piece')

/** A cutter, or a part of one: gives members and asks for pieces, of which `undefined` is the end. It asks for the first piece before it gives anything. */
export type Cutting<Member, Result> = Generator<Member | typeof wanting, Result, string | undefined>

/** Cuts a whole text that comes in pieces into members. */
export type Cutter<Member> = Cutting<Member, void>

/** All members that are complete with each piece, from first to last. */
export async function * cut<Member> (pieces: AsyncIterable<string> | Iterable<string>, cutter: Cutter<Member>): AsyncGenerator<readonly Member[]> {
  const until = (piece: string | undefined): readonly Member[] => {
    const members: Member[] = []
    for (let next = cutter.next(piece); next.done !== true; next = cutter.next()) {
      if (next.value !== wanting) members.push(next.value)
      // At the end a cutter may want a piece more than once before it takes it for the end.
      else if (piece !== undefined) break
    }
    return members
  }
  // Nothing can be cut before the first piece is asked for.
  cutter.next()
  for await (const piece of pieces) yield until(piece)
  yield until(undefined)
}
