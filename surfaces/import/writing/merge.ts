/** How the statements of several sources become one card or one set, and where they disagree. */
import { canonicalize, type JsonObject, type JsonValue } from 'pantry/data'
import { cardFields, fieldsMergedBy, printedInOf, type CardFacts } from '../../cards/card-fields.ts'
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

const within = (prefix: string, members: JsonObject | null): [string, JsonValue][] =>
  Object.entries(members ?? {}).map(([name, value]) => [`${prefix}.${name}`, value])

const compared = fieldsMergedBy('first', 'merged', 'named').filter(field => field !== 'name' && field !== 'printed_in')

/**
 * Returns the fields in which sources of one card are compared, with their values; translated names are compared for
 * each language, attributes one by one, and products by their codes, because each source names them its own way. The
 * other fields are those of the first statement.
 */
const fieldsOf = (row: CardStatement): [string, JsonValue][] => [
  ...compared.flatMap((field): [string, JsonValue][] => {
    const value: JsonValue = row[field]
    return cardFields[field].type === 'members' ? within(field, value as JsonObject | null) : [[field, value]]
  }),
  ['printed_in.code', printedInOf(row.printed_in)?.code ?? null]
]

const quotes: readonly (readonly [RegExp, string])[] = [
  [/[‘’‛′]/g, "'"],
  [/[“”„″]/g, '"'],
  [/[‐‑‒–—−]/g, '-']
]

/**
 * Returns a normalised form of a value, so that equal forms mean that two values agree. It ignores letter case and
 * width (Unicode NFKC), spaces, the style of quotation marks, dashes and ellipses, and the order of lists; a number
 * equals its digits, and a single member equals a list of one.
 */
function meaningOf(value: JsonValue): string {
  const members = [value].flat().map(member => {
    if (typeof member === 'object') return canonicalize(member)
    const text = String(member).normalize('NFKC').toLowerCase().replace(/\s+/gu, '')
    return quotes.reduce((so, [form, plain]) => so.replace(form, plain), text)
  })
  return canonicalize([...new Set(members)].sort())
}

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
    for (const [field, value] of fieldsOf(row))
      if (value !== null) fields.set(field, [...(fields.get(field) ?? []), { source, value }])
  }
  return [...fields]
    .filter(([, statements]) => new Set(statements.map(({ value }) => meaningOf(value))).size > 1)
    .map(([field, statements]) => ({ field, statements }))
}
