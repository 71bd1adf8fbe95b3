import type { EntryProblem } from 'pantry/data'
import type { Exception } from '../source.ts'
import { isDecimal, withheldByForm, type Form } from '../withheld.ts'

/** The form that an exception lets through, as messages say it. */
export const formOf = ({ form }: Exception): Form => `a ${form}`

/**
 * Of the values of a field, no more than these may be let through: a field of many more is one of prices or links,
 * whatever was declared.
 */
const fewest = 3
const mostShare = 1 / 2

/** The exceptions of one field, and what they let through. */
class OfField {
  readonly forms = new Set<Form>()
  readonly places: number[] = []
  private seen = 0
  private let = 0
  private readonly different = new Set<string>()

  /** What a text is that is not let through, or `undefined`. */
  look(text: string, isId: boolean): Form | undefined {
    this.seen++
    const isLike = withheldByForm(text, { isId }) !== undefined || isDecimal(text)
    const left = isLike ? withheldByForm(text, { excepted: this.forms, isId }) : undefined
    if (!isLike || left !== undefined) return left
    this.let++
    if (this.different.size <= fewest) this.different.add(text)
    return undefined
  }

  problems(field: string): EntryProblem[] {
    if (this.different.size <= fewest || this.let <= this.seen * mostShare) return []
    return this.places.map(place => ({
      pointer: ['reader', 'exceptions', place],
      message: `${this.let} of ${this.seen} values of \`${field}\` are let through by exceptions, so what the upstream has there are prices or links.`,
      hint: 'An exception is for few values among many: map another field.'
    }))
  }
}

/**
 * What a source declares that its fields may hold although it looks like what is never kept; counts what is let
 * through.
 */
export class Exceptions {
  private readonly fields = new Map<string, OfField>()

  constructor(declared: readonly Exception[] = []) {
    for (const [place, exception] of declared.entries()) {
      const found = this.fields.get(exception.field) ?? new OfField()
      this.fields.set(exception.field, found)
      found.forms.add(formOf(exception))
      found.places.push(place)
    }
  }

  /**
   * Those of a field, or of the field that it is a member of, such as `name_translations` of `name_translations.en`.
   */
  of(field: string): OfField | undefined {
    return this.fields.size === 0 ? undefined : (this.fields.get(field) ?? this.fields.get(field.split('.')[0] ?? ''))
  }

  problems(): readonly EntryProblem[] {
    return [...this.fields].flatMap(([field, one]) => one.problems(field))
  }
}
