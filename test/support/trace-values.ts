import { changedAt, placesIn, twiceAt, withoutSigns, type Place } from './change-data.ts'
import { readHtml, type Element, type Html, type Text } from './read-html.ts'

/**
 * A text of a page, and the places of the data that it changes with. `exact`: it is the text at such a place, with
 * nothing left out.
 */
export type Traced = Text & Readonly<{ from: ReadonlySet<Place>; exact: boolean }>

export type Trace = Readonly<{
  texts: readonly Traced[]
  /** How many places were changed. */
  places: number
  /** What a text of the data became that is no text. */
  interpreted: readonly string[]
}>

/**
 * Which text is which, by place, after some were added or left out: the longest common subsequence, and between two of
 * its members those that are as many.
 */
function twins(a: readonly string[], b: readonly string[]): ReadonlyMap<number, number> {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
  const found = new Map<number, number>()
  let [i, j, from, to] = [0, 0, 0, 0]
  const pair = (endA: number, endB: number): void => {
    if (endA - from === endB - to) for (let at = 0; from + at < endA; at++) found.set(from + at, to + at)
  }
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pair(i, j)
      found.set(i++, j++)
      ;[from, to] = [i, j]
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++
    else j++
  }
  pair(a.length, b.length)
  return found
}

const isInterpreted = ({ name, attributes }: Element): boolean => name === 'x-sign' || attributes.has('onx')

/**
 * Writes a page once for each place of its data, with something else there and nothing else changed: what a text of the
 * page changes with is where it comes from, and what changes with nothing was written into the view. `write`: the whole
 * page for data; it may throw for what is no such data.
 */
export function traceValues(data: unknown, write: (data: unknown) => string): Trace {
  const real = readHtml(write(data)).texts
  const traced = real.map(text => ({ ...text, from: new Set<Place>(), exact: false }))
  const interpreted: string[] = []
  const read = (place: Place, html: string): Html => {
    try {
      return readHtml(html)
    } catch (error) {
      interpreted.push(`${place}: ${(error as Error).message}`)
      return { elements: [], texts: [] }
    }
  }
  const rewrite = (place: Place, otherData: unknown): void => {
    let html: string
    try {
      html = write(otherData)
    } catch {
      // The view reads this name, or knows all words that may be here.
      return
    }
    const { elements, texts } = read(place, html)
    interpreted.push(...elements.filter(isInterpreted).map(({ name }) => `${place}: <${name}>`))
    const twinOf =
      texts.length === real.length
        ? undefined
        : twins(
            real.map(({ text }) => text),
            texts.map(({ text }) => withoutSigns(text))
          )
    for (const [at, one] of traced.entries()) {
      const twin = texts[twinOf === undefined ? at : (twinOf.get(at) ?? -1)]?.text
      if (twin === undefined || twin === one.text) continue
      one.from.add(place)
      one.exact ||= withoutSigns(twin) === one.text
    }
  }
  const places = [...placesIn(data)]
  for (const place of places) rewrite(place, changedAt(data, place))
  // Counts by a member: only where something is left to be found, because a page with twice as much takes long.
  const isOpen = (): boolean => traced.some(({ isValue, text, from }) => isValue && from.size === 0 && /\d/.test(text))
  for (const place of places.filter(one => one.includes('[]') && !/[#}]$/.test(one)))
    if (isOpen()) rewrite(place, twiceAt(data, place))
  return { texts: traced, places: places.length, interpreted }
}
