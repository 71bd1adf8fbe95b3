import type { JsonValue } from 'pantry/data'
import { isBareNumber, isOrdinary, isProductNumber, withheldByForm, type Form } from '../withheld.ts'
import type { Exceptions } from './exceptions.ts'

/** The longest text that is kept of an upstream, in characters; rules texts and descriptions are longer. */
const textLimit = 200

/** What a value of a field looks like that is never kept. */
export type Withheld = Readonly<{ field: string; form: Form; value: string }>

/** Why a row cannot be kept, and the field of the map at fault, such as `attributes.cost`. */
export class RowProblem extends Error {
  readonly field: string
  /** What the value looks like where that is the reason: of many rows, a sign of a wrong declaration. */
  readonly withheld: Withheld | undefined

  constructor(field: string, message: string, withheld?: Withheld) {
    super(message)
    this.field = field
    this.withheld = withheld
  }
}

/** How the texts of a row are kept, each by the name of its field. */
export type Keep = Readonly<
  Record<'text' | 'word', (field: string, value: JsonValue) => string | null> & {
    needed: (field: string, value: JsonValue) => string
  }
>

/** The same with what a source declares to be let through. */
export function keepTexts(exceptions: Exceptions): Keep {
  /**
   * A text of a row, without the white space at its edges; within it, every character stays as the upstream writes it.
   * What no field of a card can be (a link, a picture, a price, markup, a control character, one that turns the
   * direction of what follows) is refused.
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
    /** The same for a word or a name: a bare number is that of a product. */
    word: (field, value) => {
      const kept = text(field, value)
      if (kept === null) return null
      const isNumber = exceptions.of(field)?.forms.has('a price') === true ? isProductNumber(kept) : isBareNumber(kept)
      if (isNumber) throw new RowProblem(field, `\`${field}\` is a bare number.`)
      return kept
    },
    /** The same for a field that no row can be without. */
    needed: (field, value) => {
      const result = text(field, value)
      if (result === null) throw new RowProblem(field, `\`${field}\` is missing.`)
      return result
    }
  }
}
