import type { JsonSchema, JsonValue } from '../canonical/json.ts'

/** Returns the properties of an object schema, by name. */
export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema['properties'] as Record<string, JsonSchema> | undefined) ?? {}

export const requiredOf = (schema: JsonSchema): readonly string[] => (schema['required'] as string[] | undefined) ?? []

export const typesOf = (schema: JsonSchema): string[] => {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] }
  if (type !== undefined) return [type].flat()
  return [...new Set((values ?? []).map(value => (value === null ? 'null' : typeof value)))]
}

/** Returns the schema of one filter value for a field. A list field is filtered by its items. */
export const valueSchema = (field: JsonSchema): JsonSchema =>
  typesOf(field).includes('array') && field['items'] !== undefined ? (field['items'] as JsonSchema) : field

/** Returns the allowed words of a field with a closed list of words, else `undefined`. */
export function wordsOf(field: JsonSchema): string[] | undefined {
  const words = (valueSchema(field)['enum'] as unknown[] | undefined)?.filter(value => typeof value === 'string')
  return words?.length === 0 ? undefined : words
}

const whole = /^-?\d{1,15}$/
const decimal = /^-?\d{1,15}(?:\.\d{1,15})?$/

/**
 * Converts the text of a path or query parameter to the type that its schema declares: a number (at most 15 digits
 * before and after the point, no exponent), `true` or `false`. Any other text is returned unchanged, so that the schema
 * refuses it if it has the wrong type.
 */
export function typedText(schema: JsonSchema, text: string): string | number | boolean {
  const types = [schema['type']].flat()
  if ((types.includes('number') && decimal.test(text)) || (types.includes('integer') && whole.test(text)))
    return Number(text)
  return types.includes('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
}

/**
 * Returns a schema for some members of an entry: each member as the corpus declares it, but only those in `required`
 * are required. It keeps the definitions that references need.
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
