import { isObject, type JsonObject } from '../../canonical/json.ts'

export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Returns the name that a schema gives itself in PascalCase: its `title`, or the constant of its member `@kind`. */
export function declaredName({ title, properties }: JsonObject): string | undefined {
  if (typeof title === 'string') return pascal(title)
  const kind = isObject(properties) ? properties['@kind'] : undefined
  return isObject(kind) && typeof kind.const === 'string' ? pascal(kind.const) : undefined
}

/** Returns the first name that is not `taken`, or the last one with a number added, and adds it to `taken`. */
export function freeName(candidates: readonly string[], taken: Set<string>): string {
  const last = candidates.at(-1) ?? 'Schema'
  let name = candidates.find(candidate => !taken.has(candidate))
  for (let number = 2; name === undefined; number += 1) if (!taken.has(`${last}${number}`)) name = `${last}${number}`
  taken.add(name)
  return name
}
