import { canonicalize, type JsonObject, type JsonValue } from 'pantry/data'
import { cardFields, fieldsMergedBy } from '../../catalogue/card-fields.ts'
import type { CardStatement } from './merge-observations.ts'

export type SourceStatement = Readonly<{ source: string; row: CardStatement }>
type FoundDisagreement = Readonly<{
  field: string
  statements: readonly Readonly<{ source: string; value: JsonValue }>[]
}>

const within = (prefix: string, members: JsonObject | null): [string, JsonValue][] =>
  Object.entries(members ?? {}).map(([name, value]) => [`${prefix}.${name}`, value])

const compared = fieldsMergedBy('first', 'merged', 'named').filter(field => field !== 'name')

/**
 * Returns the fields in which sources of one card can differ, with their values; translated names are compared per
 * language. The other fields identify the card and cannot differ.
 */
const fieldsOf = (row: CardStatement): [string, JsonValue][] =>
  compared.flatMap((field): [string, JsonValue][] => {
    const value: JsonValue = row[field]
    return cardFields[field].type === 'members' ? within(field, value as JsonObject | null) : [[field, value]]
  })

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
