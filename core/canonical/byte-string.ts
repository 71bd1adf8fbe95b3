/**
 * The UTF-8 bytes of a text as a string of one character a byte: written as latin1 it needs no encoding and no
 * counting, and it can be hashed and joined like any text. A text of ASCII alone is its own.
 */
export const byteString = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
