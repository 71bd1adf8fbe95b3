import { isObject } from '../../core/canonical/json.ts'

/**
 * A place of data: the names of members on the way, `[]` for each item of a list; at its end `#` for how long a list
 * is, `{}` for the names of an object.
 */
export type Place = string

/** Every place of data, all items of a list at one place, in the order in which they are met. */
export function placesIn(data: unknown, place: Place = '', found = new Set<Place>()): ReadonlySet<Place> {
  if (Array.isArray(data)) {
    found.add(`${place}#`)
    for (const item of data) placesIn(item, `${place}[]`, found)
  } else if (isObject(data)) {
    if (place !== '') found.add(`${place}{}`)
    for (const [name, value] of Object.entries(data)) placesIn(value, `${place}.${name}`, found)
  } else if (data !== null && data !== undefined) found.add(place)
  return found
}

/**
 * What ends every changed text: it would be an element, were it not escaped, and turns the direction of what follows.
 * No text of the service has it.
 */
export const sign = `zq\u202e"'></td></title><x-sign onx="1"/>`

/** What a text would be without the signs. */
export const withoutSigns = (text: string): string => text.replaceAll(sign, '')

/** Calendars repeat after 400 years, so every date remains one. */
const later = (date: string): string => `${Number(date.slice(0, 4)) + 400}${date.slice(4)}`

function otherText(text: string): string {
  if (/^[[{]/.test(text))
    try {
      return JSON.stringify(othersIn(JSON.parse(text)))
    } catch {
      /* It is no JSON. */
    }
  return /^\d{4}-\d\d-\d\d/.test(text) ? later(text) : text + sign
}

/** Another value of its type. Equal ones become equal, and their order stays. */
function other(value: unknown): unknown {
  if (typeof value === 'string') return otherText(value)
  if (typeof value === 'number') return Number.isInteger(value) ? value + 7 : value * 0.9
  return typeof value === 'boolean' ? !value : value
}

/** The same data with every value another one, but for those at one place. */
const othersIn = (data: unknown, kept?: Place, place: Place = ''): unknown =>
  Array.isArray(data)
    ? data.map(item => othersIn(item, kept, `${place}[]`))
    : isObject(data)
      ? Object.fromEntries(
          Object.entries(data).map(([name, value]) => [name, othersIn(value, kept, `${place}.${name}`)])
        )
      : place === kept
        ? data
        : other(data)

/**
 * The same data with everything at one place changed, and nothing else: values are others, names have a sign, lists are
 * half as long.
 */
export function changedAt(data: unknown, wanted: Place, place: Place = ''): unknown {
  if (Array.isArray(data)) {
    const items = data.map(item => changedAt(item, wanted, `${place}[]`))
    return wanted === `${place}#` ? items.slice(0, Math.ceil(items.length / 2)) : items
  }
  if (isObject(data))
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        wanted === `${place}{}` ? name + sign : name,
        changedAt(value, wanted, `${place}.${name}`)
      ])
    )
  return wanted === place ? other(data) : data
}

/**
 * The same data with twice as many items in the list of a place: the second half is like the first in this place alone,
 * so what counts by it doubles.
 */
export function twiceAt(data: unknown, wanted: Place, place: Place = ''): unknown {
  if (Array.isArray(data)) {
    const items = data.map(item => twiceAt(item, wanted, `${place}[]`))
    const within = `${place}[]`
    const isLast = wanted.startsWith(within) && !wanted.slice(within.length).includes('[]')
    return isLast ? [...items, ...items.map(item => othersIn(item, wanted, within))] : items
  }
  return isObject(data)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, twiceAt(value, wanted, `${place}.${name}`)])
      )
    : data
}
