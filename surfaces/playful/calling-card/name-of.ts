/** The name on a card for which none was given. */
export const nobody = 'A passer-by'

/**
 * Returns a name as it is drawn: in NFC, without control characters and marks that change the text direction (Unicode
 * Bidirectional Algorithm, UAX #9 section 2), with single spaces and at most four combining marks per letter.
 */
export function nameOf(given: string | undefined): string {
  const name = (given ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  return name === '' ? nobody : name
}
