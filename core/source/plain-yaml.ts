import type { JsonValue } from '../canonical/json.ts'

/** Thrown when a text is not plain YAML; `parsePlainYaml` catches it. */
class NotPlainYaml extends Error {}

function refuse(): never {
  throw new NotPlainYaml()
}

const number = /^(?:0|-?[1-9]\d{0,15}|-?(?:0|[1-9]\d{0,14})\.\d{1,15})$/
/** Matches texts that are numbers in the core schema (YAML 1.2.2 §10.3.2), also those that `number` does not match. */
const noText =
  /^(?:[-+]?(?:\d+|\.\d+|\d+\.\d*)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const words = new Map<string, JsonValue>()
for (const word of ['~', 'null', 'Null', 'NULL']) words.set(word, null)
for (const word of ['true', 'True', 'TRUE']) words.set(word, true)
for (const word of ['false', 'False', 'FALSE']) words.set(word, false)

/** Returns the value of an unquoted text. */
function scalarOf(text: string): JsonValue {
  const word = words.get(text)
  if (word !== undefined) return word
  if (!number.test(text)) return noText.test(text) ? refuse() : text
  const value = Number(text)
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? refuse() : value
}

// This parser is our own, because it is faster. With js-yaml 5.5.0, a cold `pantry validate` of this project takes 1.20
// times the processor time on Node 20 and 1.07 times on Node 22 (2026-11-27, medians of five paired runs; 1.90 and 1.69
// s with this parser), even without checks for what is not plain. `yaml` takes six times as long for the same files.

type Members = [string, JsonValue][]

// Maximum nesting depth, and maximum number of lines of a quoted text.
const maxDepth = 40
const maxQuotedLines = 40

const key = /(?:([\p{L}\p{N}_$/](?:[\p{L}\p{N}_$/.@ -]*[\p{L}\p{N}_$/.@-])?)|"([^"\\]*)"|'([^']*)') *:(?: +|$)/uy
const comment = /(?: +#.*)? *$/y
const doubleQuoted = /"((?:[^"\\]|\\["\\/bfnrt]|\\u(?!0000|[dD][89a-fA-F])[0-9a-fA-F]{4})*)"/y
const singleQuoted = /'((?:[^']|'')*)'/y
/** Matches an unquoted text on one line without YAML syntax. */
const blockText = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[^\s-]))(?:[^\s:#]|:(?=\S)|(?<=\S)#| +(?=[^\s#]))*/y
const flowText = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=\w))(?:[^\s:#,[\]{}]|:(?=[^\s,[\]{}])| +(?=[^\s#,:[\]{}]))*/y
const more = /(?:[^\s#:?-]|-(?=[^\s-]))(?:[^\s:#]|:(?=\S)|(?<=\S)#| +(?=[^\s#]))* *$/y

function objectOf(members: Members): JsonValue {
  return new Set(members.map(([name]) => name)).size === members.length
    ? Object.freeze(Object.fromEntries(members))
    : refuse()
}

/** Parses a text line by line. Within a line, each sticky pattern matches where the last one ended. */
class Reader {
  private at = 0
  private column = 0
  private line = ''
  private readonly lines: string[]

  constructor(text: string) {
    this.lines = text.split('\n')
  }

  document(): JsonValue {
    const value = this.next() !== 0 ? refuse() : /[[{]/.test(this.line[0] ?? '') ? this.inline(-1, 0) : this.block(0, 0)
    return this.next() === -1 ? value : refuse()
  }

  /** Goes to the next line that is neither empty nor a comment, and returns its indentation; -1 at the end. */
  private next(): number {
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at] ?? ''
      const indent = line.search(/[^ ]/)
      if (indent === -1 || line[indent] === '#') continue
      this.line = line
      this.column = indent
      return indent
    }
    return -1
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.column
    const found = pattern.exec(this.line)
    if (found !== null) this.column = pattern.lastIndex
    return found
  }

  private endLine(): void {
    if (this.match(comment) === null) refuse()
    this.at++
  }

  private isItem(): boolean {
    return this.line[this.column] === '-' && (this.line[this.column + 1] ?? ' ') === ' '
  }

  private block(indent: number, depth: number): JsonValue {
    if (depth > maxDepth || (indent === 0 && /^(?:---|\.\.\.|%)/.test(this.line))) return refuse()
    return this.isItem() ? this.sequence(indent, depth) : this.mapping(indent, depth)
  }

  private sequence(indent: number, depth: number): JsonValue {
    const items: JsonValue[] = []
    while (this.next() === indent && this.isItem()) {
      this.column++
      if (this.match(/ *(?:#.*)?$/y) !== null) {
        this.at++
        items.push(this.nested(indent + 1, depth))
        continue
      }
      this.match(/ +/y)
      const start = this.column
      if (this.isItem() || this.match(key) !== null) {
        // The item is a block that begins after its dash: spaces replace what is before it.
        this.lines[this.at] = ' '.repeat(start) + this.line.slice(start)
        items.push(this.next() === start ? this.block(start, depth + 1) : refuse())
      } else {
        items.push(this.inline(indent, depth))
      }
    }
    return Object.freeze(items)
  }

  private mapping(indent: number, depth: number): JsonValue {
    const members: Members = []
    while (this.next() === indent && !this.isItem()) {
      const name = this.name()
      if (this.match(/(?:#.*)?$/y) !== null) {
        this.at++
        const isList = this.next() === indent && this.isItem()
        members.push([name, isList ? this.sequence(indent, depth + 1) : this.nested(indent + 1, depth)])
      } else {
        members.push([name, this.inline(indent, depth)])
      }
    }
    return members.length === 0 ? refuse() : objectOf(members)
  }

  private name(): string {
    const [, plain, double, single] = this.match(key) ?? refuse()
    if (plain !== undefined && typeof scalarOf(plain) !== 'string') return refuse()
    return plain ?? double ?? single ?? ''
  }

  /** Parses the value of a key or dash with nothing after it on its line: null, or an indented block below it. */
  private nested(least: number, depth: number): JsonValue {
    const indent = this.next()
    return indent < least ? null : this.block(indent, depth + 1)
  }

  /**
   * Parses a value that starts on the line of its key or dash. It ends before the next line whose indentation is at
   * most `indent`.
   */
  private inline(indent: number, depth: number): JsonValue {
    const sign = this.line[this.column]
    if (sign === '|' || sign === '>') return this.text(indent)
    if (sign === '"' || sign === "'") this.joinQuoted(indent, sign)
    const isText = sign !== '"' && sign !== "'" && sign !== '[' && sign !== '{'
    const start = this.column
    const value = isText ? (this.match(blockText) ?? refuse())[0] : this.flow(depth)
    const end = this.column
    this.endLine()
    if (this.next() <= indent) return isText ? scalarOf(value as string) : value
    if (!isText || this.lines[this.at - 1]?.slice(start).trimEnd().length !== end - start) return refuse()
    return this.folded(indent, value as string)
  }

  /** Joins the lines of a quoted text into one. */
  private joinQuoted(indent: number, sign: string): void {
    const pattern = new RegExp(sign === '"' ? doubleQuoted : singleQuoted)
    const last = this.at + maxQuotedLines
    for (pattern.lastIndex = this.column; !pattern.test(this.line); pattern.lastIndex = this.column) {
      const next = this.lines[++this.at] ?? ''
      if (this.at > last) return refuse()
      // An empty line, an escaped line end or a line with too little indentation does not fold into one space, so such
      // texts are refused.
      if (next.search(/[^ ]/) <= indent || /\\ *$/.test(this.line)) return refuse()
      // Other white space belongs to the text (YAML 1.2 §6.5).
      this.line = `${this.line.replace(/[ \t]+$/, '')} ${next.replace(/^[ \t]+/, '')}`
    }
  }

  /** Parses an unquoted text that continues on the next lines. */
  private folded(indent: number, first: string): JsonValue {
    let text = first
    for (let before = this.at - 1; this.next() > indent; before = this.at++) {
      // A comment or an empty line in between does not fold into one space, so such texts are refused.
      if (this.at !== before + 1) return refuse()
      text += ` ${(this.match(more) ?? refuse())[0].trimEnd()}`
    }
    return text
  }

  /** Parses a block text after `|` or `>`. */
  private text(indent: number): JsonValue {
    const [, style, end] = this.match(/([|>])(-?)(?: +#.*)? *$/y) ?? refuse()
    this.at++
    const first = this.lines[this.at] ?? ''
    const own = first.search(/[^ ]/)
    if (own <= indent) return refuse()
    const lines: string[] = []
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at] ?? ''
      const found = line.search(/[^ ]/)
      if (found === -1 ? line.length > own : found >= own && line.endsWith(' ')) return refuse()
      if (found !== -1 && found < own) {
        if (found > indent) return refuse()
        break
      }
      lines.push(line.slice(own))
    }
    while (lines.at(-1) === '') lines.pop()
    const body =
      style === '|'
        ? lines.join('\n')
        : lines.some(line => line.startsWith(' '))
          ? refuse()
          : lines
              .join('\n')
              .replace(/(?<=[^\n])\n(?=[^\n])/g, ' ')
              .replace(/\n(\n+)/g, '$1')
    return end === '-' ? body : `${body}\n`
  }

  /** Parses a value on one line: a text with or without quotes, a list in brackets or a mapping in braces. */
  private flow(depth: number): JsonValue {
    if (depth > maxDepth) return refuse()
    const sign = this.line[this.column]
    if (sign === '"') return JSON.parse((this.match(doubleQuoted) ?? refuse())[0]) as string
    if (sign === "'") return ((this.match(singleQuoted) ?? refuse())[1] ?? '').replaceAll("''", "'")
    if (sign !== '[' && sign !== '{') return scalarOf((this.match(flowText) ?? refuse())[0])
    const [items, members]: [JsonValue[], Members] = [[], []]
    const close = sign === '[' ? /\]/y : /\}/y
    this.column++
    this.match(/ +/y)
    while (this.match(close) === null) {
      if (items.length + members.length > 0 && this.match(/, */y) === null) return refuse()
      if (sign === '[') items.push(this.flow(depth + 1))
      else members.push([this.name(), this.flow(depth + 1)])
      this.match(/ +/y)
    }
    return sign === '[' ? Object.freeze(items) : objectOf(members)
  }
}

/**
 * Parses plain YAML: keys and dashes, texts with and without quotes, `|`, `>`, and brackets and braces that end on
 * their line, without tabs. Returns `undefined` for any other text, which the parser `yaml` must parse.
 */
export function parsePlainYaml(text: string): JsonValue | undefined {
  if (/[\t\r]/.test(text)) return undefined
  try {
    return new Reader(text).document()
  } catch (error) {
    if (error instanceof NotPlainYaml) return undefined
    throw error
  }
}
