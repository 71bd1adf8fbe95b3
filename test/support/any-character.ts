import fc from 'fast-check'

const [surrogates, count] = [0xd800, 0x110000 - 0x800]

/**
 * Any character that can stand alone, as the unit `binary` of fast-check, which keeps a table of all million of them:
 * 130 MB in each process, looked through each time that memory is collected.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(count - 1).map(
  place => String.fromCodePoint(place < surrogates ? place : place + 0x800),
  given => {
    const point = typeof given === 'string' ? given.codePointAt(0) : undefined
    if (point === undefined || String.fromCodePoint(point) !== given || !given.isWellFormed())
      throw new Error('not one character')
    return point < surrogates ? point : point - 0x800
  }
)
