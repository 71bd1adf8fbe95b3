import type { JsonValue } from 'pantry/data'
import { isBareNumber, isOrdinary, withheldByForm } from '../withheld.ts'

/** The longest text that is kept of an upstream, in characters; rules texts and descriptions are longer. */
const textLimit = 200

/** Why a row cannot be kept, and the field of the map at fault, such as `attributes.cost`. */
export class RowProblem extends Error {
  readonly field: string
  /** Whether the value is something that is never kept: a sign of a wrong declaration. */
  readonly isWithheld: boolean

  constructor (field: string, message: string, isWithheld = false) {
    super(message)
    this.field = field
    this.isWithheld = isWithheld
  }
}

/**
 * A text of a row, without the white space at its edges; within it, every character stays as the upstream writes it. What no field of a card can
 * be (a link, a picture, a price, markup, a control character, one that turns the direction of what follows) is refused.
 */
export function keptText (field: string, value: JsonValue): string | null {
  if (value === null || typeof value === 'object') return null
  const result = String(value).trim()
  if (result === '') return null
  if (isOrdinary(result)) return result
  const withheld = withheldByForm(result)
  if (withheld !== undefined) throw new RowProblem(field, `\`${field}\` holds ${withheld}.`, true)
  if (result.length > textLimit) throw new RowProblem(field, `\`${field}\` is longer than ${textLimit} characters.`)
  if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u.test(result) || !result.isWellFormed()) throw new RowProblem(field, `\`${field}\` holds a character that is no text.`)
  return result
}

/** The same for a word or a name: a bare number is that of a product. */
export function keptWord (field: string, value: JsonValue): string | null {
  const kept = keptText(field, value)
  if (kept !== null && isBareNumber(kept)) throw new RowProblem(field, `\`${field}\` is a bare number.`)
  return kept
}

/** The same for a field that no row can be without. */
export function neededText (field: string, value: JsonValue): string {
  const result = keptText(field, value)
  if (result === null) throw new RowProblem(field, `\`${field}\` is missing.`)
  return result
}
