import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../canonical/json.ts'

/** Yielded by a cutter instead of a part when it needs the next piece of the document. */
export const needsPiece = Symbol('the next piece')

/**
 * A generator that yields parts and is given pieces: `undefined` at the end of the document. It takes the first piece
 * before it yields a part.
 */
type Cutting<Piece, Part, Result> = Generator<Part | typeof needsPiece, Result, Piece | undefined>

/** Cuts a document that comes in pieces into its parts, such as the members of a list. */
export type Cutter<Piece, Part> = Cutting<Piece, Part, void>

/**
 * Gives a piece to a cutter and yields the parts that are complete with it. Returns whether the cutter needs another
 * piece.
 */
function* complete<Piece, Part>(
  cutter: Cutter<Piece, Part>,
  piece: Piece | undefined
): Generator<Part, boolean, undefined> {
  for (let next = cutter.next(piece); next.done !== true; next = cutter.next()) {
    if (next.value !== needsPiece) yield next.value
    // After the last piece a cutter may ask again, even several times; it is then told again that the document ends.
    else if (piece !== undefined) return true
  }
  return false
}

/** Yields all parts one by one. The next piece is read only when all parts of the piece before have been taken. */
export function* cutSync<Piece, Part>(pieces: Iterable<Piece>, cutter: Cutter<Piece, Part>): Generator<Part> {
  cutter.next()
  for (const piece of pieces) if (!(yield* complete(cutter, piece))) return
  yield* complete(cutter, undefined)
}

/** Yields a list for each piece and one at the end: the parts that are complete with it, which may be none. */
export async function* cut<Piece, Part>(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  cutter: Cutter<Piece, Part>
): AsyncGenerator<readonly Part[]> {
  cutter.next()
  for await (const piece of pieces) yield [...complete(cutter, piece)]
  yield [...complete(cutter, undefined)]
}

/** Returns all parts of a whole document. */
export const cutWhole = <Piece, Part>(whole: Piece, cutter: Cutter<Piece, Part>): readonly Part[] => [
  ...cutSync([whole], cutter)
]

/** Kinds of the bytes outside strings, one bit each, so that a number can represent several kinds. */
const [comma, colon, listEnd, objectEnd, opening, quote, blank] = [1, 2, 4, 8, 16, 32, 64]

const kinds = new Uint8Array(256)
for (const [kind, signs] of [
  [comma, ','],
  [colon, ':'],
  [listEnd, ']'],
  [objectEnd, '}'],
  [opening, '[{'],
  [quote, '"'],
  [blank, ' \t\n\r']
] as const)
  for (const sign of signs) kinds[sign.charCodeAt(0)] = kind

const [quoteByte, escapeByte] = [0x22, 0x5c]

/** The bytes that end a part of a list or an object, outside of its brackets and strings. */
export const endOf = {
  /** The name of a member. If its colon is missing, the name ends where a value would. */
  name: comma | colon | listEnd | objectEnd,
  value: comma | listEnd | objectEnd,
  /** An item of a list. A closing brace that was never opened is part of the item. */
  item: comma | listEnd
}

type Step<Result> = Cutting<Buffer, never, Result>

/**
 * Finds the parts of the lists and objects of a JSON text (RFC 8259) that comes in pieces; it does not check them. Each
 * byte is read once. At most one unfinished part and one piece are in memory.
 */
export class JsonParts {
  private piece: Buffer = Buffer.alloc(0)
  private at = 0
  /**
   * State of the search for the end of a part: the number of open brackets, whether it is in a string, and whether a
   * backslash was the last byte.
   */
  private depth = 0
  private isText = false
  private isEscaped = false
  private readonly passed: ((bytes: Buffer, from: number, to: number) => void) | undefined

  /** `passed` is called with all bytes of the document in order, as soon as they have been used. */
  constructor(passed?: (bytes: Buffer, from: number, to: number) => void) {
    this.passed = passed
  }

  /**
   * Returns the next character that is not blank, and leaves it for the next call; undefined if this piece has no more.
   */
  sign(): string | undefined {
    const { piece } = this
    const { length } = piece
    let { at } = this
    while (at < length && kinds[piece[at] ?? 0] === blank) at++
    if (at !== this.at) this.use(at)
    return at < length ? String.fromCharCode(piece[at] ?? 0) : undefined
  }

  /** Like `sign`, but looks in the pieces that follow; an empty text at the end of the document. */
  *nextSign(): Step<string> {
    while (yield* this.more()) {
      const sign = this.sign()
      if (sign !== undefined) return sign
    }
    return ''
  }

  /** Moves past the next character of this piece. */
  skip(): void {
    this.use(this.at + 1)
  }

  /**
   * Returns the bytes before the next byte that ends a part (`endOf`), without leading blanks; undefined if that byte
   * is not in this piece.
   */
  part(ends: number): Buffer | undefined {
    this.depth = 0
    this.isText = false
    this.isEscaped = false
    this.sign()
    return this.take(ends)
  }

  /**
   * Like `part`, for a part that ends in a later piece. Returns `too long` if more than `most` bytes have been read
   * without its end, and `no end` if the document ends first.
   */
  *rest(ends: number, most = Infinity): Step<Buffer | 'no end' | 'too long'> {
    const held: Buffer[] = []
    for (let length = 0; ;) {
      const start = this.piece.subarray(this.at)
      this.use(this.piece.length)
      held.push(start)
      length += start.length
      if (length > most) return 'too long'
      if (!(yield* this.more())) return 'no end'
      if (length === 0) this.sign()
      const end = this.take(ends)
      if (end !== undefined) return Buffer.concat([...held, end])
    }
  }

  private take(ends: number): Buffer | undefined {
    const { piece, at } = this
    const end = this.find(ends)
    if (end === -1) return undefined
    this.use(end)
    return piece.subarray(at, end)
  }

  /** Returns the place of the byte of this piece that ends the part; -1 if there is none. */
  private find(ends: number): number {
    const { piece } = this
    const { length } = piece
    let { depth, isText } = this
    let at = this.isEscaped ? this.at + 1 : this.at
    for (; at < length; at++) {
      if (isText) {
        const byte = piece[at]
        if (byte === escapeByte) at++
        else if (byte === quoteByte) isText = false
        continue
      }
      const kind = kinds[piece[at] ?? 0] ?? 0
      if (kind === 0) continue
      if (depth === 0 && (kind & ends) !== 0) return at
      if (kind === quote) isText = true
      else if (kind === opening) depth++
      else if (kind === listEnd || kind === objectEnd) depth--
    }
    this.depth = depth
    this.isText = isText
    // The byte after a backslash is the first of the next piece.
    this.isEscaped = at > length
    return -1
  }

  private use(to: number): void {
    this.passed?.(this.piece, this.at, to)
    this.at = to
  }

  /** Takes the next piece. Returns false at the end. */
  private *more(): Step<boolean> {
    const piece = yield needsPiece
    if (piece === undefined) return false
    this.piece = piece
    this.at = 0
    return true
  }
}

type JsonMember = readonly [key: string | number, value: JsonValue]

type MemberStep<Result> = Cutting<Buffer, JsonMember, Result>

/** Thrown if a text in a document is not valid UTF-8, or the document has nothing at a path. */
export class NoMembers extends Error {}

const invalid = (why: string): SyntaxError => new SyntaxError(`The JSON is not valid: ${why}.`)

function valueOf(part: Buffer | string): JsonValue {
  if (typeof part === 'string') throw invalid('it ends within a value')
  const text = part.toString()
  // Decoding replaces bytes that are not UTF-8 by U+FFFD, which valid text may contain as well.
  if (text.includes('\ufffd') && !isUtf8(part)) throw new NoMembers('The text is not valid UTF-8.')
  return JSON.parse(text) as JsonValue
}

/** Moves past the next character (`found`). Throws a SyntaxError if it is neither `sign` nor `other`. */
function take(json: JsonParts, found: string, sign: string, other = sign): string {
  if (found !== sign && found !== other) {
    const expected = sign === other ? `\`${sign}\`` : `\`${sign}\` or \`${other}\``
    throw invalid(`there must be ${expected}, not ${found === '' ? 'the end' : `\`${found}\``}`)
  }
  json.skip()
  return found
}

function* nameIn(json: JsonParts): MemberStep<string> {
  const sign = json.sign() ?? (yield* json.nextSign())
  if (sign !== '"') throw invalid('a name must be in double quotes')
  const name = valueOf(json.part(endOf.name) ?? (yield* json.rest(endOf.name))) as string
  take(json, json.sign() ?? (yield* json.nextSign()), ':')
  return name
}

function* membersAt(json: JsonParts, [name, ...rest]: readonly string[]): MemberStep<void> {
  const isObject = take(json, json.sign() ?? (yield* json.nextSign()), '[', '{') === '{'
  const end = isObject ? '}' : ']'
  let isFound = name === undefined
  if ((json.sign() ?? (yield* json.nextSign())) === end) json.skip()
  else {
    for (let index = 0, next = ','; next === ','; index++) {
      const key = isObject ? yield* nameIn(json) : index
      if (isFound || String(key) !== name) {
        const value = valueOf(json.part(endOf.value) ?? (yield* json.rest(endOf.value)))
        if (name === undefined) yield [key, value]
      } else {
        isFound = true
        yield* membersAt(json, rest)
      }
      next = take(json, json.sign() ?? (yield* json.nextSign()), ',', end)
    }
  }
  if (!isFound) throw new NoMembers(`The document has no \`${name ?? ''}\`.`)
}

/**
 * Cuts a JSON document (RFC 8259) into the members of the list or object at `path`, each with its name or index. Throws
 * a SyntaxError for invalid JSON, also outside the path, and for a value on the path that is neither a list nor an
 * object; throws a NoMembers if a text is not valid UTF-8 or nothing is at `path`.
 *
 * This code is our own, because `@streamparser/json` takes 1.9 times as long for the same members (5 MB of 40,000
 * objects in 64 KiB pieces).
 */
export function* jsonMembers(path: readonly string[] = []): Cutter<Buffer, JsonMember> {
  const json = new JsonParts()
  yield* membersAt(json, path)
  if ((json.sign() ?? (yield* json.nextSign())) !== '') throw invalid('something follows its end')
}
