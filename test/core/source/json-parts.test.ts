import fc from 'fast-check'
import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { cutWhole, cutInTurn, type Cutter } from '../../../core/source/cutter.ts'
import { endOf, JsonParts } from '../../../core/source/json-parts.ts'
import { document, piecesOf } from '../../support/json-pieces.ts'

/** The parts of a list or an object as they are written, each until it ends so. */
function* partsOf(json: JsonParts, most?: number): Cutter<Buffer, string> {
  const isObject = (json.sign() ?? (yield* json.nextSign())) === '{'
  json.skip()
  const sign = json.sign() ?? (yield* json.nextSign())
  for (let next = sign === ']' || sign === '}' ? '' : ','; next === ',';) {
    for (const ends of isObject ? [endOf.name, endOf.value] : [endOf.value]) {
      const part = json.part(ends) ?? (yield* json.rest(ends, most))
      yield part.toString()
      if (typeof part === 'string') return
      if (ends === endOf.name) json.skip()
    }
    next = json.sign() ?? (yield* json.nextSign())
    json.skip()
  }
}

/** A value that is made of its parts, and theirs, again and again: JSON.parse reads texts, numbers and words only. */
function built(text: string, sizes: readonly number[]): JsonValue {
  const sign = text.trimStart().charAt(0)
  if (sign !== '[' && sign !== '{') return JSON.parse(text) as JsonValue
  const parts = [...cutInTurn(piecesOf(text, sizes), partsOf(new JsonParts()))]
  if (sign === '[') return parts.map(part => built(part, sizes))
  return Object.fromEntries(
    Array.from({ length: parts.length / 2 }, (_, index) => [
      JSON.parse(parts[2 * index] ?? '') as string,
      built(parts[2 * index + 1] ?? '', sizes)
    ])
  )
}

t.test('any document that is cut into its parts, and these into theirs, is what JSON.parse makes of it', async t => {
  fc.assert(
    fc.property(document, ({ text, sizes }) => {
      t.equal(JSON.stringify(built(text, sizes)), JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: 200 }
  )
})

t.test('each byte is used once and in order, wherever the pieces end', async t => {
  fc.assert(
    fc.property(document, ({ text, sizes }) => {
      const used: Buffer[] = []
      const json = new JsonParts((bytes, from, to) => {
        used.push(bytes.subarray(from, to))
      })
      function* all(): Cutter<Buffer, string> {
        yield* partsOf(json)
        while ((json.sign() ?? (yield* json.nextSign())) !== '') json.skip()
      }
      for (const part of cutInTurn(piecesOf(text, sizes), all())) t.not(part, 'no end')
      t.equal(Buffer.concat(used).toString(), text)
    }),
    { numRuns: 100 }
  )
})

t.test('a part that does not end, or has too many bytes, is none', async t => {
  const parts = (text: string, size: number, most?: number): readonly string[] => [
    ...cutInTurn(piecesOf(text, [size]), partsOf(new JsonParts(), most))
  ]
  t.same(parts('[1,"]', 2), ['1', 'no end'])
  t.same(parts('[1,{"a":"\\"}]', 3), ['1', 'no end'])
  t.same(parts('["1234", 1]', 2, 3), ['too long'])
  t.same(parts('["1234", 1]', 2, 6), ['"1234"', '1'])
  t.same(parts('[        12]', 2, 3), ['12'], 'blanks before a part are not counted')
  t.same(cutWhole(Buffer.from('["1234"]'), partsOf(new JsonParts(), 3)), ['"1234"'], 'nothing is held')
})

t.test('what a part ends with says who asks: an item of a list may hold a brace that was never opened', async t => {
  const part = (ends: number): string | undefined => {
    const json = new JsonParts()
    function* one(): Cutter<Buffer, string> {
      const found = json.part(ends) ?? (yield* json.rest(ends))
      yield found.toString()
    }
    return cutWhole(Buffer.from(' "a" : 1 } ] ,'), one())[0]
  }
  t.equal(part(endOf.name), '"a" ')
  t.equal(part(endOf.value), '"a" : 1 ')
  t.equal(part(endOf.item), 'no end', 'the brackets around it are no longer known')
})
