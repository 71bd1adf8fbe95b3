import { Type } from 'pantry/data'
import type { DataOf } from 'pantry/data'

/** One form in which numbers are printed on the cards of a game: data of the corpus `games`. */
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

/** What a printed number says. A part that it does not say is `undefined`. */
type PrintedNumber = Readonly<{
  /** Name of the form that matched. */
  form: string
  number: string
  /** `undefined` when only the place of the card tells its set. */
  set: string | undefined
  /** Number of cards of the set, as printed behind the number. */
  total: string | undefined
}>

/** Groups a pattern may have; `number` is required. */
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
 * Reads a printed number by the forms of its game: the first form that matches counts. Letter case and outer blanks do
 * not matter.
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
