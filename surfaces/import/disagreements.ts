import { canonicalize, type JsonObject, type JsonValue } from 'pantry/data'
import { cardFields, fieldsMergedBy } from '../catalogue/card-fields.ts'
import type { CardStatement } from './merge-observations.ts'

export type Stated = Readonly<{ source: string, row: CardStatement }>
export type Disagreement = Readonly<{ field: string, statements: readonly Readonly<{ source: string, value: JsonValue }>[] }>

const within = (prefix: string, members: JsonObject | null): [string, JsonValue][] => Object.entries(members ?? {}).map(([name, value]) => [`${prefix}.${name}`, value])

const compared = fieldsMergedBy('first', 'merged', 'named').filter(field => field !== 'name')

/** The fields that can differ between observers of one card. Names are compared language by language; the rest is its identity. */
const fieldsOf = (row: CardStatement): [string, JsonValue][] => compared.flatMap((field): [string, JsonValue][] => {
  const value: JsonValue = row[field]
  return cardFields[field].type === 'members' ? within(field, value as JsonObject | null) : [[field, value]]
})

/**
 * Where sources that observe one card say different things of it, by field; `stated` in order of precedence, the first of each source counts.
 * A source that does not know a field says nothing of it.
 */
export function disagreementsOf (stated: readonly Stated[]): readonly Disagreement[] {
  const first = new Map(stated.toReversed().map(({ source, row }) => [source, row]))
  if (first.size < 2) return []
  const fields = new Map<string, { source: string, value: JsonValue }[]>()
  for (const [source, row] of [...first].sort(([a], [b]) => a < b ? -1 : 1)) {
    for (const [field, value] of fieldsOf(row)) if (value !== null) fields.set(field, [...fields.get(field) ?? [], { source, value }])
  }
  return [...fields].filter(([, statements]) => new Set(statements.map(({ value }) => canonicalize(value))).size > 1).map(([field, statements]) => ({ field, statements }))
}
