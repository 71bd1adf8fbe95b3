import type { JsonObject } from 'pantry/data'
import { fieldsMergedBy, type CardFacts } from '../../catalogue/card-fields.ts'
import { firstKnown } from '../../catalogue/set-statement.ts'
import type { MappedRow } from '../reading/map-row.ts'

/** One row as an observation keeps it, without what it says of the set. */
export type CardStatement = Omit<MappedRow, 'set'>

/**
 * Names by language from all statements, the first of each language; the languages of the statement that gives the name
 * go before all.
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

/** Member by member the first value that is known; null when none is. */
function mergeMembers(objects: readonly (JsonObject | null)[]): JsonObject | null {
  const known = objects.filter(members => members !== null)
  // Most cards have one observer.
  return known.length < 2 ? (known[0] ?? null) : (Object.assign({}, ...known.toReversed()) as JsonObject)
}

const [leadingFields, firstFields, mergedFields] = [
  fieldsMergedBy('leading'),
  fieldsMergedBy('first'),
  fieldsMergedBy('merged')
]

/**
 * What is held of a card, by the rules of the table of card fields; statements in order of precedence. Statements that
 * disagree all stay in the observations; the later ones only fill gaps. Throws when there is no statement.
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
