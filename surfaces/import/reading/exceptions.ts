/** What is kept of one value of an upstream: texts with declared exceptions, attributes, and release dates. */
import type { EntryProblem } from 'pantry/data'
import type { Exception } from '../source.ts'
import { isDecimal, withheldByForm, type Form } from '../withheld.ts'

/** Returns the form that an exception allows, as it is written in messages. */
export const exceptedForm = ({ form }: Exception): Form => `a ${form}`

/**
 * An exception is a problem when it allows more than 3 different values and more than half of a field's values: the
 * field then holds prices or links, whatever was declared.
 */
const fewest = 3
const mostShare = 1 / 2

/** The exceptions for one field, with counts of the values they allowed. */
class OfField {
  readonly forms = new Set<Form>()
  readonly places: number[] = []
  private seen = 0
  private let = 0
  private readonly different = new Set<string>()

  /** Returns what a text looks like if it must not be stored and no exception allows it; `undefined` otherwise. */
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
 * The exceptions that a source declares: fields whose values may look like something that is never stored. Counts the
 * values that they allow.
 */
export class Exceptions {
  private readonly fields = new Map<string, OfField>()

  constructor(declared: readonly Exception[] = []) {
    for (const [place, exception] of declared.entries()) {
      const found = this.fields.get(exception.field) ?? new OfField()
      this.fields.set(exception.field, found)
      found.forms.add(exceptedForm(exception))
      found.places.push(place)
    }
  }

  /**
   * Returns the exceptions of a field, or of the field that contains it, such as `name_translations` for
   * `name_translations.en`.
   */
  of(field: string): OfField | undefined {
    return this.fields.size === 0 ? undefined : (this.fields.get(field) ?? this.fields.get(field.split('.')[0] ?? ''))
  }

  problems(): readonly EntryProblem[] {
    return [...this.fields].flatMap(([field, one]) => one.problems(field))
  }
}
