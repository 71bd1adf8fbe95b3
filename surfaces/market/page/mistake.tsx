import type { JsonObject } from 'pantry/data'
import type { VNode } from 'pantry/page'

/** What is wrong with a field of a form, or with the whole, where it names none. */
export type Mistaken = Readonly<{ field: string; reason: string }> | undefined

/** What a form was refused for: beside the field that it names, if the form has that; else above the form. */
export function mistaken(
  fields: Readonly<Record<string, unknown>>,
  { reason, details }: Readonly<{ reason: string; details: JsonObject }>
): Mistaken {
  const field = details['field']
  return { field: typeof field === 'string' && field in fields ? field : '', reason }
}

/** How a field says that it is wrong: to the eye and to a reader. */
export const mistakeIn = (name: string, of: Mistaken, also = ''): Readonly<Record<string, string>> =>
  of?.field === name
    ? { 'aria-invalid': 'true', 'aria-describedby': `${name}-mistake ${also}`.trim() }
    : also === ''
      ? {}
      : { 'aria-describedby': also }

/** The words for it. */
export const Mistake = ({ name, of }: Readonly<{ name: string; of: Mistaken }>): VNode | null =>
  of?.field === name ? (
    <p id={`${name}-mistake`} class="mistake" role="alert">
      <strong>{of.reason}</strong>
    </p>
  ) : null
