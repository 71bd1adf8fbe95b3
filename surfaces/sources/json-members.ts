import type { JsonValue } from '../../core/canonical/json.ts'
import { asText } from './expression.ts'
import { wanting, type Cutter, type Cutting } from './cutter.ts'

export type JsonMember = readonly [key: string | number, value: JsonValue]

type Step<Result> = Cutting<JsonMember, Result>

const code = (character: string): number => character.charCodeAt(0)
const [quote, escape, comma, colon] = [code('"'), code('\\'), code(','), code(':')]
const [list, object, listEnd, objectEnd] = [code('['), code('{'), code(']'), code('}')]
const blanks = [code(' '), code('\t'), code('\n'), code('\r')]

/** What stands in a text before its end or an escape. */
const plainText = /[^"\\]*/y

/** The text of a JSON document as far as it was read and not yet used: pieces come in, values go out. */
class JsonText {
  private text = ''
  private at = 0

  private cut (length: number): JsonValue {
    const text = this.text.slice(this.at, this.at + length)
    this.at += length
    return JSON.parse(text) as JsonValue
  }

  /** The next character that is not blank, without using it; empty at the end. */
  * peek (): Step<string> {
    for (;;) {
      while (blanks.includes(this.text.charCodeAt(this.at))) this.at++
      if (this.at < this.text.length || !(yield * this.more())) return this.text.charAt(this.at)
    }
  }

  * take (allowed: readonly string[]): Step<string> {
    const found = yield * this.peek()
    if (!allowed.includes(found)) throw new SyntaxError(`The JSON is not valid: there must be ${allowed.map(one => `\`${one}\``).join(' or ')}, not ${found === '' ? 'the end' : `\`${found}\``}.`)
    this.at++
    return found
  }

  * end (): Step<void> {
    if ((yield * this.peek()) !== '') throw new SyntaxError('The JSON is not valid: something follows its end.')
  }

  /** The whole next value. It ends with its bracket, or before what cannot be part of it; whether it is valid says `JSON.parse`. */
  * value (): Step<JsonValue> {
    yield * this.peek()
    let depth = 0
    let isText = false
    let length = 0
    for (; ; length++) {
      while (this.at + length >= this.text.length) if (!(yield * this.more())) return this.cut(length)
      if (isText) {
        plainText.lastIndex = this.at + length
        plainText.test(this.text)
        length = plainText.lastIndex - this.at
        const stop = this.text.charCodeAt(this.at + length)
        if (stop === escape) length++
        else if (stop === quote) isText = false
        // Else the piece ends here, within the text: the next one is looked at from its first character.
        else length--
        continue
      }
      const next = this.text.charCodeAt(this.at + length)
      if (next === quote) {
        isText = true
      } else if (next === list || next === object) {
        depth++
      } else if (next === listEnd || next === objectEnd) {
        if (depth <= 1) return this.cut(depth === 0 ? length : length + 1)
        depth--
      } else if (depth === 0 && (next === comma || next === colon || blanks.includes(next))) {
        return this.cut(length)
      }
    }
  }

  /** Takes one more piece and forgets what was used. False at the end. */
  private * more (): Step<boolean> {
    const piece = yield wanting
    if (piece === undefined) return false
    this.text = this.text.slice(this.at) + piece
    this.at = 0
    return true
  }
}

function * membersAt (json: JsonText, [name, ...rest]: readonly string[]): Step<void> {
  const isObject = (yield * json.take(['[', '{'])) === '{'
  const end = isObject ? '}' : ']'
  const separators = [',', end]
  let isFound = name === undefined
  if ((yield * json.peek()) === end) yield * json.take([end])
  else {
    for (let index = 0, next = ','; next === ','; index++) {
      const key = isObject ? yield * keyOf(json) : index
      if (name === undefined) yield [key, yield * json.value()]
      else if (String(key) !== name || isFound) yield * json.value()
      else {
        isFound = true
        yield * membersAt(json, rest)
      }
      next = yield * json.take(separators)
    }
  }
  if (!isFound) throw new Error(`The document has no \`${name ?? ''}\`.`)
}

function * keyOf (json: JsonText): Step<string> {
  if ((yield * json.peek()) !== '"') yield * json.take(['"'])
  const key = yield * json.value()
  yield * json.take([':'])
  return asText(key)
}

function * wholeDocument (path: readonly string[]): Step<void> {
  const json = new JsonText()
  yield * membersAt(json, path)
  yield * json.end()
}

/**
 * Cuts a JSON document (RFC 8259) into the members of the list or object at `path`: no more than one unfinished member and one piece are held.
 * Throws on JSON that is not valid, also after the last member, and when there is nothing at `path`.
 */
export const jsonMembers = (path: readonly string[] = []): Cutter<JsonMember> => wholeDocument(path)
