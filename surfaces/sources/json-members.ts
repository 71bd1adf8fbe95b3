import type { JsonValue } from '../../core/canonical/json.ts'
import { asText } from './expression.ts'

export type JsonMember = readonly [key: string | number, value: JsonValue]

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
  private readonly pieces: AsyncIterator<string>

  constructor (pieces: AsyncIterable<string>) {
    this.pieces = pieces[Symbol.asyncIterator]()
  }

  /** The next character that is not blank, without using it; empty at the end. */
  async peek (): Promise<string> {
    for (;;) {
      while (blanks.includes(this.text.charCodeAt(this.at))) this.at++
      if (this.at < this.text.length || !await this.more()) return this.text.charAt(this.at)
    }
  }

  async take (allowed: readonly string[]): Promise<string> {
    const found = await this.peek()
    if (!allowed.includes(found)) throw new SyntaxError(`The JSON is not valid: there must be ${allowed.map(one => `\`${one}\``).join(' or ')}, not ${found === '' ? 'the end' : `\`${found}\``}.`)
    this.at++
    return found
  }

  async end (): Promise<void> {
    if (await this.peek() !== '') throw new SyntaxError('The JSON is not valid: something follows its end.')
  }

  /** The whole next value. It ends with its bracket, or before what cannot be part of it; whether it is valid says `JSON.parse`. */
  async value (): Promise<JsonValue> {
    await this.peek()
    let depth = 0
    let isText = false
    let length = 0
    for (; ; length++) {
      while (this.at + length >= this.text.length) if (!await this.more()) return this.cut(length)
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

  private cut (length: number): JsonValue {
    const text = this.text.slice(this.at, this.at + length)
    this.at += length
    return JSON.parse(text) as JsonValue
  }

  /** Reads one more piece and forgets what was used. False at the end. */
  private async more (): Promise<boolean> {
    const piece = await this.pieces.next()
    if (piece.done === true) return false
    this.text = this.text.slice(this.at) + piece.value
    this.at = 0
    return true
  }
}

async function * membersAt (json: JsonText, [name, ...rest]: readonly string[]): AsyncGenerator<JsonMember> {
  const isObject = await json.take(['[', '{']) === '{'
  const end = isObject ? '}' : ']'
  let isFound = name === undefined
  if (await json.peek() === end) await json.take([end])
  else {
    for (let index = 0, next = ','; next === ','; index++) {
      const key = isObject ? await keyOf(json) : index
      if (name === undefined) yield [key, await json.value()]
      else if (String(key) !== name || isFound) await json.value()
      else {
        isFound = true
        yield * membersAt(json, rest)
      }
      next = await json.take([',', end])
    }
  }
  if (!isFound) throw new Error(`The document has no \`${name ?? ''}\`.`)
}

async function keyOf (json: JsonText): Promise<string> {
  if (await json.peek() !== '"') await json.take(['"'])
  const key = await json.value()
  await json.take([':'])
  return asText(key)
}

/**
 * The members of the list or object at `path` in a JSON document (RFC 8259) that comes in pieces, each as soon as it is complete: no more
 * than one member and one piece are held. Throws on JSON that is not valid, also after the last member, and when there is nothing at `path`.
 */
export async function * jsonMembers (pieces: AsyncIterable<string>, path: readonly string[] = []): AsyncGenerator<JsonMember> {
  const json = new JsonText(pieces)
  yield * membersAt(json, path)
  await json.end()
}
