/** The facts of a card, each with the sources that say it. */
import { canonicalize, closed, Text, Type, type DataOf, type JsonObject, type JsonValue } from 'pantry/data'
import type { Database } from 'pantry/database'
import { cardFields, fieldsMergedBy, printedInOf, type CardFacts } from './card-fields.ts'

const within = (prefix: string, members: JsonObject | null): [string, JsonValue][] =>
  Object.entries(members ?? {}).map(([name, value]) => [`${prefix}.${name}`, value])

/** What a card or a statement on it says, by field. */
type Stated = Readonly<Pick<CardFacts, (typeof compared)[number] | 'printed_in' | 'faces'>>

const compared = fieldsMergedBy('first', 'merged', 'named').filter(
  field => field !== 'name' && field !== 'printed_in' && field !== 'faces'
)

/** Returns the names of the faces; null where none is named. */
const faceNames = (faces: CardFacts['faces'] | undefined): JsonValue => {
  const names = faces?.flatMap(({ name }) => name ?? []) ?? []
  return names.length === 0 ? null : names
}

/**
 * Returns the fields in which sources of one card are compared, with their values; translated names are compared for
 * each language, attributes one by one, products by their codes, because each source names them its own way, and faces
 * by their names. The other fields are those of the first statement.
 */
export const factsIn = (row: Stated): [string, JsonValue][] => [
  ...compared.flatMap((field): [string, JsonValue][] => {
    const value: JsonValue = row[field]
    return cardFields[field].type === 'members' ? within(field, value as JsonObject | null) : [[field, value]]
  }),
  ['printed_in.code', printedInOf(row.printed_in)?.code ?? null],
  ['faces.name', faceNames(row.faces)]
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
export function meaningOf(value: JsonValue): string {
  const members = [value].flat().map(member => {
    if (typeof member === 'object') return canonicalize(member)
    const text = String(member).normalize('NFKC').toLowerCase().replace(/\s+/gu, '')
    return quotes.reduce((so, [form, plain]) => so.replace(form, plain), text)
  })
  return canonicalize([...new Set(members)].sort())
}

/** Whether two values have one meaning; identical ones need no normalised form. */
function meanTheSame(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true
  const [members, others] = [[one].flat(), [other].flat()]
  return (
    (members.length === others.length && members.every((member, at) => member === others[at])) ||
    meaningOf(one) === meaningOf(other)
  )
}

/** A fact that is shown of a card: who says it, and who says otherwise. */
export const SaidFact = closed({
  field: Text,
  sources: Type.Array(Text, { description: 'Sources that say what is shown, sorted.' }),
  otherwise: Type.Array(closed({ source: Text, value: Type.Unknown() }), {
    description: 'What other sources say of it.'
  })
})

/** What a source says of a card; one that has several rows of it says several things. */
export type SourceSays = Readonly<{ source: string; row: Stated }>

const columns = [Text, Text, Type.Object({}, { additionalProperties: true })] as const

/** Returns a function that reads what the rows of sources say of a card. Concurrent lookups share one query. */
export function statementsReader(reader: Database['reader']): (sku: string) => Promise<readonly SourceSays[]> {
  const loader = reader.createLoader({
    name: 'card_statements',
    sql: 'select o.sku, o.source, o.row from observations o where o.sku = any($1)',
    columns,
    keyOf: row => row[0]
  })
  return async sku => (await loader.loadAll(sku)).map(([, source, row]) => ({ source, row: row as SourceSays['row'] }))
}

/** Returns the facts of a card that sources compare, with who says each. Notation makes no difference. */
export function saidFacts(card: Stated, statements: readonly SourceSays[]): DataOf<typeof SaidFact>[] {
  const said = statements.map(({ source, row }) => ({ source, facts: new Map(factsIn(row)) }))
  return factsIn(card).flatMap(([field, value]) => {
    if (value === null) return []
    const sources = new Set<string>()
    const otherwise = new Map<string, JsonValue>()
    for (const { source, facts } of said) {
      const other = facts.get(field) ?? null
      if (other === null) continue
      if (meanTheSame(other, value)) sources.add(source)
      else otherwise.set(source, other)
    }
    return [
      {
        field,
        sources: [...sources].sort(),
        otherwise: [...otherwise]
          .filter(([source]) => !sources.has(source))
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([source, value]) => ({ source, value }))
      }
    ]
  })
}
