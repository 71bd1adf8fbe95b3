import { isObject, type JsonObject } from '../../canonical/json.ts'

/** Converts to PascalCase: `reading_list` -> `ReadingList`. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(word => word !== '')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Returns the singular of a word: `entries` -> `entry`, `matches` -> `match`, `ships` -> `ship`. */
export const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/(?<![su]|i)s$/, '')

/** Returns the name that a schema gives itself: its `title`, or the constant `@kind` of its documents. */
export function declaredName({ title, properties }: JsonObject): string | undefined {
  if (typeof title === 'string') return pascal(title)
  const kind = isObject(properties) ? properties['@kind'] : undefined
  return isObject(kind) && typeof kind.const === 'string' ? pascal(kind.const) : undefined
}

/** Returns the first free name and reserves it; if none is free, a number is added to the last one. */
export function freeName(wanted: readonly string[], taken: Set<string>): string {
  const last = wanted.at(-1) ?? 'Schema'
  let name = wanted.find(one => !taken.has(one))
  for (let number = 2; name === undefined; number += 1) if (!taken.has(`${last}${number}`)) name = `${last}${number}`
  taken.add(name)
  return name
}
