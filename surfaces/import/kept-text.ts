import type { JsonValue } from 'pantry/data'

const textLimit = 1000
/** Why a row cannot be kept. */
export class RowProblem extends Error {}

const link = /:\/\/|^(?:www\.|\/\/)/i
/** Has no character that one of the checks looks for: most texts need no more. */
const harmless = /^[^./:\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/
const imageFile = /\.(?:avif|gif|jpe?g|png|svg|webp)\b/i

/** A text of a row. What no field of a card can be (a link, an image, a control character) is a sign of a wrong declaration: the row is not kept. */
export function keptText (field: string, value: JsonValue): string | null {
  if (value === null || typeof value === 'object') return null
  const result = String(value)
  if (result.length > textLimit) throw new RowProblem(`\`${field}\` is longer than ${textLimit} characters.`)
  if (harmless.test(result)) return result === '' ? null : result
  if (link.test(result)) throw new RowProblem(`\`${field}\` holds a link.`)
  if (imageFile.test(result)) throw new RowProblem(`\`${field}\` holds the name of an image.`)
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u.test(result) || !result.isWellFormed()) throw new RowProblem(`\`${field}\` holds a character that is no text.`)
  return result === '' ? null : result
}

/** The same for a field that no row can be without. */
export function neededText (field: string, value: JsonValue): string {
  const result = keptText(field, value)
  if (result === null) throw new RowProblem(`\`${field}\` is missing.`)
  return result
}
