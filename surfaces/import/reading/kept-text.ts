import type { JsonValue } from 'pantry/data'
import { isBareNumber, isOrdinary, isProductNumber, withheldByForm, type Form } from '../withheld.ts'
import type { Exceptions } from './exceptions.ts'

/** The longest text of an upstream that is stored, in characters; rules texts and descriptions are longer. */
const textLimit = 200

/** A value that must not be stored: its field, what it looks like (such as a price), and the value. */
export type WithheldValue = Readonly<{ field: string; form: Form; value: string }>

/** An error that says why a row is left out, with the field of the map that caused it, such as `attributes.cost`. */
export class RowProblem extends Error {
  readonly field: string
  /** The value that must not be stored, when that is the reason. If many rows have one, the declaration is wrong. */
  readonly withheld: WithheldValue | undefined

  constructor(field: string, message: string, withheld?: WithheldValue) {
    super(message)
    this.field = field
    this.withheld = withheld
  }
}

/** Functions that check the texts of a row; each gets the name of the field and its value. */
export type Keep = Readonly<
  Record<'text' | 'word', (field: string, value: JsonValue) => string | null> & {
    needed: (field: string, value: JsonValue) => string
  }
>

/** Returns the functions that check texts, with the exceptions that a source declares. */
export function keepTexts(exceptions: Exceptions): Keep {
  /**
   * Trims a text of a row and returns it otherwise unchanged. Throws for anything that cannot be a field of a card: a
   * link, a picture, a price, markup, a control character, or a character that changes the text direction.
   */
  const text: Keep['text'] = (field, value) => {
    if (value === null || typeof value === 'object') return null
    const result = String(value).trim()
    if (result === '') return null
    const excepted = exceptions.of(field)
    if (excepted === undefined && isOrdinary(result)) return result
    const isId = field === 'native_id'
    const form = excepted === undefined ? withheldByForm(result, { isId }) : excepted.look(result, isId)
    if (form !== undefined) throw new RowProblem(field, `\`${field}\` holds ${form}.`, { field, form, value: result })
    if (result.length > textLimit) throw new RowProblem(field, `\`${field}\` is longer than ${textLimit} characters.`)
    if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u.test(result) || !result.isWellFormed())
      throw new RowProblem(field, `\`${field}\` holds a character that is no text.`)
    return result
  }
  return {
    text,
    /**
     * Like `text`, for a word or a name: also throws for a bare number, because that is a product number or an amount.
     */
    word: (field, value) => {
      const kept = text(field, value)
      if (kept === null) return null
      const isNumber = exceptions.of(field)?.forms.has('a price') === true ? isProductNumber(kept) : isBareNumber(kept)
      if (isNumber) throw new RowProblem(field, `\`${field}\` is a bare number.`)
      return kept
    },
    /** Like `text`, for a required field: also throws when the value is missing. */
    needed: (field, value) => {
      const result = text(field, value)
      if (result === null) throw new RowProblem(field, `\`${field}\` is missing.`)
      return result
    }
  }
}
