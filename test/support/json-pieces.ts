import fc from 'fast-check'

/** The bytes of a text in pieces of these sizes, over and over; none is empty. */
export function* piecesOf(text: string | Buffer, sizes: readonly number[]): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? bytes.length)
    yield bytes.subarray(at, end)
    at = end
  }
}

const value = fc.jsonValue({ stringUnit: 'grapheme' })

/** White space where JSON allows it, each of its own. */
const blanks = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n  ')

const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })

const written = (of: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(of, fc.constantFrom(0, 2, '\t'), blanks, blanks)
    .map(([one, indent, before, after]) => before + JSON.stringify(one, null, indent) + after)

/** A list as JSON, and where to cut its text. */
export const listText = fc.record({ text: written(fc.array(value)), sizes })

/** A list or an object as JSON, and where to cut its text. */
export const document = fc.record({
  text: written(fc.oneof(fc.array(value), fc.dictionary(fc.string({ unit: 'grapheme' }), value))),
  sizes
})
