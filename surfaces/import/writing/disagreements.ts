import { canonicalize, type JsonObject, type JsonValue } from 'pantry/data'
import { cardFields, fieldsMergedBy } from '../../catalogue/card-fields.ts'
import type { CardStatement } from './merge-observations.ts'

export type Stated = Readonly<{ source: string; row: CardStatement }>
export type Disagreement = Readonly<{
  field: string
  statements: readonly Readonly<{ source: string; value: JsonValue }>[]
}>

const within = (prefix: string, members: JsonObject | null): [string, JsonValue][] =>
  Object.entries(members ?? {}).map(([name, value]) => [`${prefix}.${name}`, value])

const compared = fieldsMergedBy('first', 'merged', 'named').filter(field => field !== 'name')

/**
 * The fields that can differ between observers of one card. Names are compared language by language; the rest is its
 * identity.
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
 * What a value means, however it is written: equal texts of two values say that these do not disagree. Letters count
 * without their case and width (Unicode NFKC), texts without their spaces and the form of quotation marks, dashes and
 * ellipses, a number as its digits, a list without its order, and one member as a list of one.
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
 * Where sources that observe one card say different things of it, by field; `stated` in order of precedence, the first
 * of each source counts. A source that does not know a field says nothing of it, and one that writes the same another
 * way does not disagree.
 */
export function disagreementsOf(stated: readonly Stated[]): readonly Disagreement[] {
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
