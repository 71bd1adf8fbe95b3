/**
 * Returns the UTF-8 bytes of a text as a string with one character per byte. Written as latin1, it needs no encoding,
 * its length is the number of bytes, and it can be hashed and joined like any text. ASCII text is returned unchanged.
 */
export const byteString = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
