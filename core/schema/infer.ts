import type { JsonSchema, JsonValue } from '../canonical/json.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** Returns an own property only, because a member may be called `toString`. */
const propertyOf = (properties: Properties | undefined, name: string): JsonSchema | undefined =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined

const typeOf = (schema: JsonSchema): string[] => [schema['type'] as string | string[]].flat()

/**
 * Returns a schema that the values of both `a` and `b` match: types are joined, and a member is required only if both
 * require it.
 */
function merge(a: JsonSchema, b: JsonSchema): JsonSchema {
  const types = [...new Set([...typeOf(a), ...typeOf(b)])]
  const merged: Record<string, unknown> = {
    type: types.length === 1 ? types[0] : types.filter(type => type !== 'integer' || !types.includes('number'))
  }
  const one = [merged['type']].flat()
  if (one.length === 1) merged['type'] = one[0]
  const [propertiesA, propertiesB] = [a, b].map(schema => schema['properties'] as Properties | undefined)
  if (propertiesA !== undefined || propertiesB !== undefined) {
    const names = [...new Set([...Object.keys(propertiesA ?? {}), ...Object.keys(propertiesB ?? {})])]
    merged['properties'] = Object.fromEntries(
      names.map(name => {
        const [left, right] = [propertyOf(propertiesA, name), propertyOf(propertiesB, name)]
        return [name, left === undefined ? right : right === undefined ? left : merge(left, right)]
      })
    )
    const required = [propertiesA === undefined ? undefined : a, propertiesB === undefined ? undefined : b]
      .flatMap(schema => (schema === undefined ? [] : [schema['required'] as string[]]))
      .reduce((both, names) => both.filter(name => names.includes(name)))
    merged['required'] = required
  }
  const items = [a, b].flatMap(schema => (schema['items'] === undefined ? [] : [schema['items'] as JsonSchema]))
  const [first, second] = items
  if (first !== undefined) merged['items'] = second === undefined ? first : merge(first, second)
  return merged
}

/**
 * Infers the JSON Schema of a constant value: all its members are required, and the items of a list have one merged
 * schema.
 */
export function inferSchema(value: JsonValue): JsonSchema {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    return items.length === 0 ? { type: 'array' } : { type: 'array', items: items.map(inferSchema).reduce(merge) }
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' }
  if (typeof value !== 'object') return { type: typeof value }
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inferSchema(member)])),
    required: Object.keys(value)
  }
}
