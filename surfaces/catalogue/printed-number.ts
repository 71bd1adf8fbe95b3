import { Type } from 'pantry/data'
import type { DataOf } from 'pantry/data'

/** One form in which numbers are printed on the cards of a game, from the corpus `games`. */
export const PrintedForm = Type.Object({
  form: Type.String(),
  pattern: Type.String({
    description: 'Matched against the number in lower case; its groups are those of a `PrintedNumber`.'
  }),
  set: Type.Optional(
    Type.String({ description: 'The set of all numbers of this form, when they do not name it themselves.' })
  ),
  examples: Type.Array(Type.String())
})
export type PrintedForm = DataOf<typeof PrintedForm>

/** The parts of a printed number; a part that it does not contain is `undefined`. */
type PrintedNumber = Readonly<{
  /** The name of the form that matched. */
  form: string
  number: string
  /** `undefined` when the number does not contain its set. */
  set: string | undefined
  /** The number of cards in the set, as printed after the number. */
  total: string | undefined
}>

/** The groups that a pattern may have; `number` is required. */
export const printedGroups = ['number', 'set', 'total'] as const

const compiled = new Map<string, RegExp>()

function regexOf(pattern: string): RegExp {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const regex = new RegExp(pattern, 'u')
  compiled.set(pattern, regex)
  return regex
}

/**
 * Parses a printed number by the forms of its game; the first form that matches is used. Letter case and surrounding
 * white space are ignored.
 */
export function parsePrintedNumber(forms: readonly PrintedForm[], text: string): PrintedNumber | undefined {
  const lower = text.trim().toLowerCase()
  for (const { form, pattern, set } of forms) {
    const groups = regexOf(pattern).exec(lower)?.groups
    const number = groups?.['number']
    if (groups !== undefined && number !== undefined)
      return { form, number, set: groups['set'] ?? set, total: groups['total'] }
  }
  return undefined
}
