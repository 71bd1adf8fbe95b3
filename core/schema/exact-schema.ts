/** Schema keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = new Set(['items', 'additionalProperties', 'not'])
const listed = new Set(['anyOf', 'oneOf', 'prefixItems'])
const named = new Set(['properties', 'patternProperties', '$defs'])

/**
 * Closes all objects of a schema: an object with `properties` but without `additionalProperties` allows no other
 * members.
 */
export function exactSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const exact = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
      if (single.has(keyword)) return [keyword, exactSchema(value)]
      if (listed.has(keyword)) return [keyword, (value as readonly unknown[]).map(exactSchema)]
      if (named.has(keyword))
        return [
          keyword,
          Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, exactSchema(one)]))
        ]
      return [keyword, value]
    })
  )
  return 'properties' in exact && !('additionalProperties' in exact) ? { ...exact, additionalProperties: false } : exact
}
