import type { JsonObject } from 'pantry/data'

/** What an upstream says of the set of a card. */
export type SetStatement = Readonly<{
  name: string | null
  name_translations: JsonObject | null
  released_on: string | null
  released_note: string | null
  declared_total: number | null
}>

/** The first value of a field that is known, statements in order of precedence. */
export const firstKnown = <T extends object, K extends keyof T>(statements: readonly T[], field: K): T[K] | null =>
  statements.find(statement => statement[field] !== null)?.[field] ?? null

/**
 * What is held of a set beside its counts, by the rule of a card's facts. Only a set without a known date has a note.
 */
export function mergeSet(statements: readonly SetStatement[]): SetStatement {
  const released = firstKnown(statements, 'released_on')
  return {
    name: firstKnown(statements, 'name'),
    name_translations: firstKnown(statements, 'name_translations'),
    released_on: released,
    released_note: released === null ? firstKnown(statements, 'released_note') : null,
    declared_total: firstKnown(statements, 'declared_total')
  }
}
