/** A set of characters: one bit per ASCII character, and one for all others. */
export type CharSet = bigint

export type PatternTree =
  | Readonly<{ kind: 'chars'; chars: CharSet }>
  | Readonly<{ kind: 'sequence' | 'choice'; parts: readonly PatternTree[] }>
  | Readonly<{ kind: 'repeat'; part: PatternTree; minimum: number; maximum: number }>

type ParsedPattern = Readonly<{ isAnchored: boolean; tree: PatternTree }>

const everything: CharSet = (1n << 129n) - 1n
const bit = (char: string): CharSet => 1n << BigInt(Math.min(char.codePointAt(0) ?? 128, 128))
const setOf = (pattern: RegExp): CharSet =>
  Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).reduce(
    (set, char) => (pattern.test(char) ? set | bit(char) : set),
    0n
  )

const digits = setOf(/\d/)
const word = setOf(/\w/)
const asciiSpace = setOf(/\s/)
const classes: Readonly<Record<string, CharSet>> = {
  d: digits,
  D: everything & ~digits,
  w: word,
  W: everything & ~word,
  // `\s` also matches white space outside ASCII.
  s: asciiSpace | bit('\u00A0'),
  S: everything & ~asciiSpace,
  n: bit('\n'),
  r: bit('\r'),
  t: bit('\t'),
  f: bit('\f'),
  v: bit('\v')
}

/** Thrown when a pattern uses syntax that is not supported here; caught in this file. */
class Unsupported extends Error {}

function refuse(): never {
  throw new Unsupported()
}

class Parser {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** After `^`, only a sequence is allowed: in a choice, `^` would anchor only the first branch. */
  pattern(): ParsedPattern {
    const isAnchored = this.peek() === '^'
    if (isAnchored) this.at++
    const tree = isAnchored ? this.sequence() : this.choice()
    if (this.at < this.text.length) refuse()
    return { isAnchored, tree }
  }

  private sequence(): PatternTree {
    const parts: PatternTree[] = []
    for (let next = this.peek(); next !== '' && next !== '|' && next !== ')'; next = this.peek()) {
      // An end anchor only reduces the ways to match, so the tree leaves it out.
      if (next === '$' && /^\$(?:[|)]|$)/.test(this.text.slice(this.at))) this.at++
      else parts.push(this.repeated(this.atom()))
    }
    return { kind: 'sequence', parts }
  }

  private atom(): PatternTree {
    const char = this.take()
    if (char === '(') return this.group()
    if (char === '[') return { kind: 'chars', chars: this.charClass() }
    if (char === '.') return { kind: 'chars', chars: everything & ~bit('\n') & ~bit('\r') }
    if (char === '\\') return { kind: 'chars', chars: this.escape() }
    if (/[$^*+?{}]/.test(char)) refuse()
    return { kind: 'chars', chars: bit(char) }
  }

  private group(): PatternTree {
    const opening = /^\?(:|<[A-Za-z_]\w*>)/.exec(this.text.slice(this.at))?.[0]
    if (opening !== undefined) this.at += opening.length
    const tree = this.choice()
    this.expect(')')
    return tree
  }

  private choice(): PatternTree {
    const parts = [this.sequence()]
    while (this.peek() === '|') {
      this.at++
      parts.push(this.sequence())
    }
    return { kind: 'choice', parts }
  }

  private repeated(part: PatternTree): PatternTree {
    const [text, star, from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/.exec(this.text.slice(this.at)) ?? []
    if (text === undefined) return part
    this.at += text.length
    if (this.peek() === '?') refuse()
    const [minimum, maximum] =
      star === undefined
        ? [Number(from), comma === '' ? Number(from) : Number(to === '' ? Infinity : to)]
        : [star === '+' ? 1 : 0, star === '?' ? 1 : Infinity]
    return { kind: 'repeat', part, minimum, maximum }
  }

  private charClass(): CharSet {
    const isNegated = this.peek() === '^'
    if (isNegated) this.at++
    let set = 0n
    while (this.peek() !== ']') {
      const from = this.take()
      if (from === '\\') set |= this.escape()
      else if (this.peek() === '-' && this.text[this.at + 1] !== ']') set |= this.range(from)
      else set |= bit(from)
    }
    this.at++
    return isNegated ? everything & ~(set & ~bit('\u0080')) : set
  }

  private range(from: string): CharSet {
    this.at++
    const to = this.take()
    if (to === '\\') refuse()
    let set = 0n
    for (let code = from.codePointAt(0) ?? 0; code <= Math.min(to.codePointAt(0) ?? 0, 128); code++)
      set |= bit(String.fromCodePoint(code))
    return set | bit(to)
  }

  private escape(): CharSet {
    const char = this.take()
    if (/[^A-Za-z0-9]/.test(char)) return bit(char)
    return classes[char] ?? refuse()
  }

  private peek(): string {
    return this.text[this.at] ?? ''
  }

  private take(): string {
    const char = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0)
    if (this.at >= this.text.length) refuse()
    this.at += char.length
    return char
  }

  private expect(char: string): void {
    if (this.peek() !== char) refuse()
    this.at++
  }
}

/**
 * Parses a valid pattern of literals, classes, groups, alternatives and greedy repeats, with `^` only at its start.
 * Returns `undefined` for any other pattern.
 */
export function parsePattern(pattern: string): ParsedPattern | undefined {
  try {
    return new Parser(pattern).pattern()
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
