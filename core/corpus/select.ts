import type { JsonValue } from '../canonical/json.ts'
import type { Corpus, Entry } from './corpus.ts'

/** A condition on a field. For a list field, it is met if any item meets it. */
export type Condition = Readonly<{ field: string; meets: (value: JsonValue | undefined) => boolean }>

export const filterEntries = (entries: readonly Entry[], conditions: readonly Condition[]): readonly Entry[] =>
  conditions.length === 0
    ? entries
    : entries.filter(entry =>
        conditions.every(({ field, meets }) => {
          const value = entry[field]
          return Array.isArray(value) ? value.some(item => meets(item as JsonValue)) : meets(value)
        })
      )

const rank = (value: JsonValue | undefined): number =>
  value === undefined || value === null ? 3 : typeof value === 'number' ? 0 : typeof value === 'boolean' ? 1 : 2

/** Numbers come before booleans, then text by UTF-16 code units, then absent or null values. */
function compareValues(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (rank(a) === 3) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [a, b].map(value => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
  return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1
}

type SortField = Readonly<{ name: string; down: boolean }>

/** The key is the last one, so that the order does not depend on that of the files. */
const fieldsOf = (order: readonly string[], key: string): readonly SortField[] =>
  [...order, key].map(name => ({ name: name.replace(/^-/, ''), down: name.startsWith('-') }))

function compareEntries(a: Entry, b: Entry, fields: readonly SortField[]): number {
  for (const { name, down } of fields) {
    const [left, right] = [a[name], b[name]]
    const order = compareValues(left, right)
    if (order !== 0) return down && rank(left) < 3 && rank(right) < 3 ? -order : order
  }
  return 0
}

/** `-field` sorts from high to low; absent or null values are last in both directions. */
export function orderEntries(entries: readonly Entry[], order: readonly string[], key: string): readonly Entry[] {
  const fields = fieldsOf(order, key)
  return entries.toSorted((a, b) => compareEntries(a, b, fields))
}

/** `position`: values of the sort fields. */
export function entriesAfter(
  sorted: readonly Entry[],
  position: Entry,
  order: readonly string[],
  key: string
): readonly Entry[] {
  const fields = fieldsOf(order, key)
  const first = sorted.findIndex(entry => compareEntries(position, entry, fields) < 0)
  return first === -1 ? [] : sorted.slice(first)
}

const millisecondsOfDay = 86_400_000

/** Returns the entry of a UTC day: the entries take turns; `undefined` if there are none. */
export function pickOfDay(entries: readonly Entry[], now: Date): Entry | undefined {
  const day = Math.floor(now.getTime() / millisecondsOfDay)
  return entries.at(day % entries.length)
}

type Selection = Readonly<{ conditions: readonly Condition[]; order: readonly string[]; limit?: number | undefined }>

export function selectEntries(
  corpus: Corpus,
  { conditions, order, limit }: Selection
): { matching: readonly Entry[]; returned: readonly Entry[] } {
  const matching = orderEntries(filterEntries(corpus.entries, conditions), order, corpus.key)
  return { matching, returned: limit === undefined ? matching : matching.slice(0, limit) }
}

const words = new Set(
  (
    'rights license licenses licence tier source sources provenance attribution evidence basis by signed signature ' +
    'unsure withheld unavailable availability boundary access conditions reason'
  ).split(' ')
)

/**
 * Whether a member is in every answer: those about the document itself (`@kind`), and those about rights, sources,
 * signatures and uncertainty. The name decides, so no corpus or handler can omit one by mistake.
 */
export const isAlwaysShown = (name: string): boolean =>
  name.startsWith('@') ||
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some(word => words.has(word))
