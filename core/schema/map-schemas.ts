import { isObject } from '../canonical/json.ts'

const single = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems'
])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/**
 * Returns a schema with each direct inner schema replaced. `change` gets the inner schema and the name of its property;
 * `undefined` in `anyOf`, `oneOf`, `allOf` and `prefixItems`; `[]` in all other keywords.
 */
export function mapSchemas<T>(
  schema: Readonly<Record<string, T>>,
  change: (inner: Readonly<Record<string, T>>, member: string | undefined) => T
): Record<string, T> {
  const changed = (inner: T, member: string | undefined): T =>
    isObject(inner) ? change(inner as Readonly<Record<string, T>>, member) : inner
  const mapped: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema))
    if (single.has(keyword)) mapped[keyword] = changed(value, '[]')
    else if (lists.has(keyword) && Array.isArray(value))
      mapped[keyword] = value.map((inner: T) => changed(inner, undefined))
    else if (maps.has(keyword) && isObject(value))
      mapped[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          changed(inner as T, keyword === 'properties' ? name : '[]')
        ])
      )
    else mapped[keyword] = value
  return mapped as Record<string, T>
}
