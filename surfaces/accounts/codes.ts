import { randomInt } from 'node:crypto'

/** Letters and digits that are not taken for each other (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const length = 10

/** How long a code can be used, and how often it can be tried. */
export const codeMinutes = 15
export const codeAttempts = 5

/** A one-time code: 50 random bits, of which five can be tried. Written in two halves, so that it can be read out. */
export const newCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length)))
    .join('')
    .replace(/^.{5}/, '$&-')

/** A code as it was meant: without letter case, spaces and hyphens, and with what is taken for another character. */
export const normaliseCode = (text: string): string =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
