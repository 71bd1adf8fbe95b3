import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'

const single = new Set(['items', 'additionalProperties', 'contains', 'not', 'propertyNames', 'unevaluatedProperties'])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/**
 * Returns a schema with each direct inner schema replaced. `change` gets the inner schema and the name of its property,
 * `[]` for list items and unnamed members, or `undefined` for an alternative of the schema itself.
 */
export function mapSchemas(
  schema: JsonObject,
  change: (inner: JsonObject, member: string | undefined) => JsonValue
): JsonObject {
  const one = (inner: JsonValue, member: string | undefined): JsonValue =>
    isObject(inner) ? change(inner, member) : inner
  const mapped: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries(schema))
    if (single.has(keyword)) mapped[keyword] = one(value, '[]')
    else if (lists.has(keyword) && Array.isArray(value))
      mapped[keyword] = (value as JsonValue[]).map(inner => one(inner, undefined))
    else if (maps.has(keyword) && isObject(value))
      mapped[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, one(inner, keyword === 'properties' ? name : '[]')])
      )
    else mapped[keyword] = value
  return mapped
}

const followed = new Set(['$ref', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'])

/**
 * Removes members named like reference keywords (such as `$ref`) from an object schema, because OpenAPI parsers would
 * follow them. The object may still have such members.
 */
export function withoutFollowedMembers(schema: JsonObject): JsonObject {
  const { properties, required, additionalProperties, ...rest } = schema
  if (!isObject(properties) || !Object.keys(properties).some(name => followed.has(name))) return schema
  const others = Array.isArray(required)
    ? (required as JsonValue[]).filter(name => typeof name === 'string' && !followed.has(name))
    : []
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !followed.has(name))),
    ...(others.length === 0 ? {} : { required: others }),
    additionalProperties:
      additionalProperties === undefined || additionalProperties === false ? true : additionalProperties
  }
}

/**
 * Allows any value for additional members of an object that also has named members, because generated client types
 * cannot express both.
 */
export const withUntypedOthers = (schema: JsonObject): JsonObject =>
  isObject(schema.properties) && isObject(schema.additionalProperties)
    ? { ...schema, additionalProperties: true }
    : schema
