import { largestRecord, newline, type Cut, type CutProblem, type Start } from './cut.ts'
import { cutInTurn, type Cutter } from './cutter.ts'
import { endOf, JsonParts } from './json-parts.ts'

/** A place in a file that moves on with its bytes. */
class Position {
  private from = 0
  private lineFrom = 0
  private line = 1
  private column = 1

  pass(bytes: Buffer, begin: number, end: number): void {
    const before = this.from - begin
    let { lineFrom, line, column } = this
    for (let at = begin; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte === newline) [lineFrom, line, column] = [before + at + 1, line + 1, 1]
      // A character is counted at its first byte of UTF-8; one of four bytes is two code units of UTF-16.
      else if ((byte & 0xc0) !== 0x80) column += byte >= 0xf0 ? 2 : 1
    }
    this.from = before + end
    this.lineFrom = lineFrom
    this.line = line
    this.column = column
  }

  here(): Start {
    const { from, lineFrom, line, column } = this
    return { from, lineFrom, line, column }
  }
}

type Sentence = Pick<CutProblem, 'code' | 'message' | 'hint'>

const sentences = {
  empty: { code: 'M113', message: 'The file is empty.', hint: 'Write a list of entries, or `[]`.' },
  'no list': { code: 'M118', message: 'The file must hold a list of entries.', hint: 'Start it with `[`.' },
  'no end': { code: 'M118', message: 'The list does not end.', hint: 'Close it with `]`.' },
  'too long': {
    code: 'M109',
    message: `The entry has more than ${largestRecord} bytes.`,
    hint: 'Is a bracket or a quote left open?'
  },
  more: { code: 'M118', message: 'More text follows the list.', hint: 'Remove it.' }
} as const satisfies Readonly<Record<string, Sentence>>

function* itemsOfList(): Cutter<Buffer, Cut | CutProblem> {
  const position = new Position()
  const json = new JsonParts((bytes, from, to) => {
    position.pass(bytes, from, to)
  })
  const problem = (what: keyof typeof sentences, start = position.here()): CutProblem => ({
    ...start,
    ...sentences[what]
  })
  const first = json.sign() ?? (yield* json.nextSign())
  if (first !== '[') {
    yield problem(first === '' ? 'empty' : 'no list')
    return
  }
  json.skip()
  // `[]` has no item; an empty place beside a comma is an item that cannot be read.
  let isOpen = (json.sign() ?? (yield* json.nextSign())) !== ']'
  while (isOpen) {
    if (json.sign() === undefined) yield* json.nextSign()
    const start = position.here()
    const bytes = json.part(endOf.item) ?? (yield* json.rest(endOf.item, largestRecord))
    if (typeof bytes === 'string') {
      yield problem(bytes, start)
      return
    }
    yield { ...start, bytes }
    isOpen = (json.sign() ?? (yield* json.nextSign())) === ','
    if (isOpen) json.skip()
  }
  json.skip()
  if ((json.sign() ?? (yield* json.nextSign())) !== '') yield problem('more')
}

/**
 * Yields the items of a JSON list (RFC 8259): the text between its brackets and commas, which may be invalid JSON.
 * After a problem, it yields nothing more. At most one item and one piece are in memory.
 */
export const cutItems = (pieces: Iterable<Buffer>): Generator<Cut | CutProblem> => cutInTurn(pieces, itemsOfList())
