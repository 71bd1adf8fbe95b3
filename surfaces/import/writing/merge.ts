/** How the statements of several sources become one card or one set, and where they disagree. */
import type { JsonObject, JsonValue } from 'pantry/data'
import { fieldsMergedBy, type CardFacts } from '../../cards/card-fields.ts'
import { factsIn, meaningOf } from '../../cards/facts-by-source.ts'
import type { MappedRow, SetStatement } from '../reading/map-row.ts'

/** The facts about a card in one row, as an observation stores them, without those about the set. */
export type CardStatement = Omit<MappedRow, 'set'>

/**
 * Merges the names by language of all statements; the first statement with a language wins, but the statement that
 * gives the card's `name` wins over all.
 */
function mergeNames(statements: readonly CardStatement[]): Pick<CardFacts, 'name' | 'name_translations'> {
  const [only] = statements
  if (only !== undefined && statements.length === 1)
    return { name: only.name, name_translations: only.name_translations }
  const named = statements.find(({ name }) => name !== null)
  const merged = Object.assign(
    {},
    ...statements.map(({ name_translations: names }) => names).reverse(),
    named?.name_translations
  ) as JsonObject
  return { name: named?.name ?? null, name_translations: Object.keys(merged).length === 0 ? null : merged }
}

/** Merges objects member by member; the first known value of each member wins. Null when no object is known. */
function mergeMembers(objects: readonly (JsonObject | null)[]): JsonObject | null {
  const known = objects.filter(members => members !== null)
  // Most cards have one source, so this case avoids copying.
  return known.length < 2 ? (known[0] ?? null) : (Object.assign({}, ...known.toReversed()) as JsonObject)
}

/**
 * Returns the first known value of a field; statements are in order of precedence. One that was stored before there was
 * the field lacks it.
 */
const firstKnown = <T extends object, K extends keyof T>(statements: readonly T[], field: K): T[K] | null =>
  statements.map(statement => statement[field] ?? null).find(value => value !== null) ?? null

const [leadingFields, firstFields, mergedFields] = [
  fieldsMergedBy('leading'),
  fieldsMergedBy('first'),
  fieldsMergedBy('merged')
]

/**
 * Merges the statements on one card, which are in order of precedence, by the merge rules of `cardFields`. Later
 * statements only fill gaps; those that disagree stay in the observations. Throws when there is no statement.
 */
export function mergeCard(sku: string, statements: readonly CardStatement[], sources: readonly string[]): CardFacts {
  const [leading] = statements
  if (leading === undefined) throw new Error(`Nobody observed \`${sku}\`.`)
  const card: Record<string, unknown> = { sku, ...mergeNames(statements), sources: [...sources].sort() }
  for (const field of leadingFields) card[field] = leading[field]
  for (const field of firstFields) card[field] = firstKnown(statements, field)
  for (const field of mergedFields) card[field] = mergeMembers(statements.map(statement => statement[field]))
  return card as CardFacts
}

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

export type SourceStatement = Readonly<{ source: string; row: CardStatement }>
type FoundDisagreement = Readonly<{
  field: string
  statements: readonly Readonly<{ source: string; value: JsonValue }>[]
}>

/**
 * Returns the fields in which the sources of one card differ, with their values. `stated` is in order of precedence;
 * the first statement of each source counts. Null values, and values that differ only in notation, do not count as
 * different.
 */
export function disagreementsOf(stated: readonly SourceStatement[]): readonly FoundDisagreement[] {
  const first = new Map(stated.toReversed().map(({ source, row }) => [source, row]))
  if (first.size < 2) return []
  const fields = new Map<string, { source: string; value: JsonValue }[]>()
  for (const [source, row] of [...first].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const [field, value] of factsIn(row))
      if (value !== null) fields.set(field, [...(fields.get(field) ?? []), { source, value }])
  }
  return [...fields]
    .filter(([, statements]) => new Set(statements.map(({ value }) => meaningOf(value))).size > 1)
    .map(([field, statements]) => ({ field, statements }))
}
