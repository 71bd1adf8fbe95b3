/** Whether a JSON text may have an integer that a number cannot hold: 16 digits in a row, or an exponent. */
const suspect = /\d{16}|\d[eE][+-]?\d/

/** A string or a number of a JSON text. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Returns the digits of a number without zeros at its ends, and the power of ten of the last of them. */
function digitsOf(written: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  return `${sign}${kept}e${Number(power) - fraction.length + digits.length - kept.length}`
}

/** Whether a number says what was written: it is finite, and an integer has all of its digits. */
function isExact(written: string): boolean {
  const value = Number(written)
  if (!Number.isFinite(value)) return false
  return !Number.isInteger(value) || Number.isSafeInteger(value) || digitsOf(String(value)) === digitsOf(written)
}

/**
 * Parses the text of a `json` or `jsonb` column. An integer that a number cannot hold, and a number that is too large
 * for one, is the text that was written. A fraction is the nearest number.
 */
export const parseExactly = (text: string): unknown =>
  JSON.parse(
    suspect.test(text)
      ? text.replace(token, found => (found.startsWith('"') || isExact(found) ? found : `"${found}"`))
      : text
  )
