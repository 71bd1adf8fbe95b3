import { largestRecord, type Cut, type CutProblem, type Start } from './cut.ts'

const code = (character: string): number => character.charCodeAt(0)
const [quote, escape, comma, newline] = [code('"'), code('\\'), code(','), code('\n')]
const [list, object, listEnd, objectEnd] = [code('['), code('{'), code(']'), code('}')]
const [space, tab, carriageReturn] = [code(' '), code('\t'), code('\r')]

const isBlank = (byte: number): boolean => byte === space || byte === newline || byte === tab || byte === carriageReturn

/** Returns how many UTF-16 code units a byte of UTF-8 adds to a text. */
const unitsOf = (byte: number): number => (byte >= 0xf0 ? 2 : byte >= 0x80 && byte < 0xc0 ? 0 : 1)

/** Tracks the nesting of JSON bytes within the list whose items are cut. */
class Nesting {
  private depth = 0
  private isText = false
  private isEscaped = false

  /** Takes the next byte; returns true if it ends an item: a comma of the outer list, or its closing bracket. */
  ends(byte: number): boolean {
    if (this.isText) {
      if (this.isEscaped) this.isEscaped = false
      else if (byte === escape) this.isEscaped = true
      else if (byte === quote) this.isText = false
      return false
    }
    if (byte === quote) this.isText = true
    else if (this.depth === 0 && (byte === comma || byte === listEnd)) return true
    else if (byte === list || byte === object) this.depth++
    else if (byte === listEnd || byte === objectEnd) this.depth--
    return false
  }
}

/**
 * Yields the items of a JSON list (RFC 8259): the text between its brackets and commas, which may be invalid JSON.
 * After a problem, it yields nothing more. At most one item and one piece are in memory.
 */
export function* cutItems(pieces: Iterable<Buffer>): Generator<Cut | CutProblem, void, void> {
  const nesting = new Nesting()
  let phase: 'before' | 'within' | 'after' = 'before'
  let [from, lineFrom, line, column] = [0, 0, 1, 1]
  let start: Start | undefined
  let held: Buffer[] = []
  let isEmpty = true
  const here = (): Start => ({ from, lineFrom, line, column })

  for (const piece of pieces) {
    let begin = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (phase === 'within') {
        if (nesting.ends(byte)) {
          // `[]` has no items; an empty place next to a comma counts as an item, which cannot be parsed.
          if (start !== undefined) yield { ...start, bytes: Buffer.concat([...held, piece.subarray(begin, at)]) }
          else if (byte === comma || !isEmpty) yield { ...here(), bytes: Buffer.alloc(0) }
          start = undefined
          held = []
          isEmpty = false
          if (byte === listEnd) phase = 'after'
        } else if (start === undefined && !isBlank(byte)) {
          start = here()
          begin = at
        }
      } else if (!isBlank(byte)) {
        if (phase === 'after')
          return yield { ...here(), code: 'M118', message: 'More text follows the list.', hint: 'Remove it.' }
        if (byte !== list)
          return yield {
            ...here(),
            code: 'M118',
            message: 'The file must hold a list of entries.',
            hint: 'Start it with `[`.'
          }
        phase = 'within'
      }
      from++
      if (byte === newline) [lineFrom, line, column] = [from, line + 1, 1]
      else column += unitsOf(byte)
    }
    if (start === undefined) continue
    held.push(piece.subarray(begin))
    if (from - start.from > largestRecord)
      return yield {
        ...start,
        code: 'M109',
        message: `The entry has more than ${largestRecord} bytes.`,
        hint: 'Is a bracket or a quote left open?'
      }
  }
  if (phase === 'before')
    yield { ...here(), code: 'M113', message: 'The file is empty.', hint: 'Write a list of entries, or `[]`.' }
  if (phase === 'within')
    yield { ...(start ?? here()), code: 'M118', message: 'The list does not end.', hint: 'Close it with `]`.' }
}
