import type { JsonObject } from 'pantry/data'

/** The facts that an upstream states about the set of a card. */
export type SetStatement = Readonly<{
  name: string | null
  name_translations: JsonObject | null
  released_on: string | null
  released_note: string | null
  declared_total: number | null
}>

/** Returns the first known value of a field; statements are in order of precedence. */
export const firstKnown = <T extends object, K extends keyof T>(statements: readonly T[], field: K): T[K] | null =>
  statements.find(statement => statement[field] !== null)?.[field] ?? null

/**
 * Merges the statements on a set by the rule for cards: the first known value of each field. `released_note` is kept
 * only when no release date is known.
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
