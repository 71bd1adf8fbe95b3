import type { JsonValue } from '../canonical/json.ts'
import type { Corpus, Entry } from './corpus.ts'

/** A condition on a field. A field that is a list meets it if any item does. */
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

/** Compares for sorting: numbers, booleans, text (lists and objects as JSON) by UTF-16 code units, absent or null. */
function compareValues(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (rank(a) === 3) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [a, b].map(value => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
  return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1
}

type SortField = Readonly<{ name: string; down: boolean }>

/** Returns the fields to sort by. The key is the last one, so that the order of the files does not matter. */
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

/** Sorts entries by fields; `-field` is from high to low. Absent or null values are last in both directions. */
export function orderEntries(entries: readonly Entry[], order: readonly string[], key: string): readonly Entry[] {
  const fields = fieldsOf(order, key)
  return entries.toSorted((a, b) => compareEntries(a, b, fields))
}

/** Returns the entries that come after `position`, which has values of the sort fields and of the key. */
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

/** Returns the entry of the UTC day of `now`: each day has the next entry, in turn. `undefined` if there are none. */
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
 * Whether `fields` in a request cannot leave out a member: one about the document itself (`@kind`), or about rights,
 * sources, signatures or uncertainty. The name decides, so no corpus or handler can omit one by mistake.
 */
export const isAlwaysShown = (name: string): boolean =>
  name.startsWith('@') ||
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some(word => words.has(word))
