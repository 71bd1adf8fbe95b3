import { randomInt } from 'node:crypto'

/** Letters and digits that are not easily confused (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const length = 10

/** How long a code is valid, in minutes, and how many times it may be tried. */
export const codeMinutes = 15
export const codeAttempts = 5

/** Generates a one-time code with 50 random bits, in two groups of five characters that are easy to read out. */
export const newCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length)))
    .join('')
    .replace(/^.{5}/, '$&-')

/** Normalises a typed code: ignores case, spaces and hyphens, and replaces characters that are easily confused. */
export const normaliseCode = (text: string): string =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
