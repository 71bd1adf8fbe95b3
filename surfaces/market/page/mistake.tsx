import type { JsonObject } from 'pantry/data'
import type { VNode } from 'pantry/page'

/** The mistake in a form; `field` is empty if it concerns the whole form. */
export type Mistaken = Readonly<{ field: string; reason: string }> | undefined

/** Returns the mistake for a refusal: at the field that it names, if the form has that field, else above the form. */
export function mistaken(
  fields: Readonly<Record<string, unknown>>,
  { reason, details }: Readonly<{ reason: string; details: JsonObject }>
): Mistaken {
  const field = details['field']
  return { field: typeof field === 'string' && field in fields ? field : '', reason }
}

/** Returns the ARIA attributes that mark a field as invalid and link it to its message. */
export const mistakeIn = (name: string, of: Mistaken, also = ''): Readonly<Record<string, string>> =>
  of?.field === name
    ? { 'aria-invalid': 'true', 'aria-describedby': `${name}-mistake ${also}`.trim() }
    : also === ''
      ? {}
      : { 'aria-describedby': also }

/** The message of a mistake. */
export const Mistake = ({ name, of }: Readonly<{ name: string; of: Mistaken }>): VNode | null =>
  of?.field === name ? (
    <p id={`${name}-mistake`} class="mistake" role="alert">
      <strong>{of.reason}</strong>
    </p>
  ) : null
