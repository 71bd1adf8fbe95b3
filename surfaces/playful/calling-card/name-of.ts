/** The name on a card without one. */
export const nobody = 'A passer-by'

/**
 * A name as it is drawn: NFC, one space for each run of them, no controls and no marks that turn the direction of what
 * follows (Unicode Bidirectional Algorithm, UAX #9 section 2), at most four combining signs on a letter.
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
