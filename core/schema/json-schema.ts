import type { JsonSchema, JsonValue } from '../canonical/json.ts'

/** Returns the declared properties by name. The object inherits nothing: `toString` is in it only if it is declared. */
export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> => ({
  ...(schema['properties'] as Record<string, JsonSchema> | undefined),
  __proto__: null as never
})

export const requiredOf = (schema: JsonSchema): readonly string[] => (schema['required'] as string[] | undefined) ?? []

export const typesOf = (schema: JsonSchema): string[] => {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] }
  if (type !== undefined) return [type].flat()
  return [...new Set((values ?? []).map(value => (value === null ? 'null' : typeof value)))]
}

/**
 * Returns the schema of one value by which a field can be filtered: that of the items of a list, else that of the
 * field.
 */
export const valueSchema = (field: JsonSchema): JsonSchema =>
  typesOf(field).includes('array') && field['items'] !== undefined ? (field['items'] as JsonSchema) : field

/** Returns the texts in the enum of a field, or of its items if it is a list; `undefined` if there are none. */
export function enumTextsOf(field: JsonSchema): string[] | undefined {
  const words = (valueSchema(field)['enum'] as unknown[] | undefined)?.filter(value => typeof value === 'string')
  return words?.length === 0 ? undefined : words
}

const whole = /^-?\d{1,15}$/
const decimal = /^-?\d{1,15}(?:\.\d{1,15})?$/

/**
 * Converts the text of a path or query parameter to the declared type: a number (at most 15 digits before and after the
 * point, no exponent), `true` or `false`. Any other text is unchanged, so that the schema can refuse it.
 */
export function coerceText(schema: JsonSchema, text: string): string | number | boolean {
  const types = [schema['type']].flat()
  if ((types.includes('number') && decimal.test(text)) || (types.includes('integer') && whole.test(text)))
    return Number(text)
  return types.includes('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
}

/**
 * Returns an object schema with the same properties, definitions and property patterns, but with these required
 * members.
 */
export const partSchema = (
  { $defs, definitions, properties, patternProperties }: JsonSchema,
  required: readonly string[]
): JsonSchema => ({
  type: 'object',
  ...($defs === undefined ? {} : { $defs }),
  ...(definitions === undefined ? {} : { definitions }),
  ...(patternProperties === undefined ? {} : { patternProperties }),
  properties: properties ?? {},
  required
})

// Keywords whose value is a schema (`single`), a list of schemas (`listed`), or schemas by name (`named`).
const single = new Set(['items', 'additionalProperties', 'not'])
const listed = new Set(['anyOf', 'oneOf', 'prefixItems'])
const named = new Set(['properties', 'patternProperties', '$defs'])

/** Returns a schema in which every object schema with `properties` but no `additionalProperties` allows no others. */
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

/** Returns a schema that all values of both schemas match. A member is required only if both schemas require it. */
function merge(a: JsonSchema, b: JsonSchema): JsonSchema {
  const all = [...new Set([...typesOf(a), ...typesOf(b)])]
  const types = all.filter(type => type !== 'integer' || !all.includes('number'))
  const merged: Record<string, unknown> = { type: types.length === 1 ? types[0] : types }
  const objects = [a, b].filter(schema => schema['properties'] !== undefined)
  if (objects.length > 0) {
    const properties = new Map<string, JsonSchema>()
    for (const [name, schema] of objects.map(propertiesOf).flatMap(Object.entries<JsonSchema>)) {
      const other = properties.get(name)
      properties.set(name, other === undefined ? schema : merge(other, schema))
    }
    merged['properties'] = Object.fromEntries(properties)
    merged['required'] = objects.map(requiredOf).reduce((both, names) => both.filter(name => names.includes(name)))
  }
  const items = [a, b].flatMap(schema => (schema['items'] === undefined ? [] : [schema['items'] as JsonSchema]))
  if (items.length > 0) merged['items'] = items.reduce(merge)
  return merged
}

/** Infers the JSON Schema of a constant value: all members are required, and list items have one merged schema. */
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
