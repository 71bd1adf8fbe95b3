import { isObject, type JsonSchema } from '../canonical/json.ts'
import { mapValues } from './pointers.ts'

const single = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
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
      mapped[keyword] = mapValues(value, (inner, name) => changed(inner as T, keyword === 'properties' ? name : '[]'))
    else mapped[keyword] = value
  return mapped as Record<string, T>
}

const leftOut = new Set(['$schema', '$id', '$defs', 'definitions', '$comment', 'if', 'then', 'else'])
const anyName = '^.*$'

/** Returns the schema at a local reference, a JSON pointer in a URI fragment (RFC 6901 §6); `{}` if there is none. */
function resolve(base: JsonSchema, ref: string): JsonSchema {
  let value: unknown = base
  for (const token of ref.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    value = isObject(value) ? value[name] : undefined
  }
  return isObject(value) ? value : {}
}

/** Copies a schema. `open`: the references whose targets are being copied; they are not followed again. */
function copy(schema: JsonSchema, base: JsonSchema, open: readonly string[]): JsonSchema {
  const here = '$defs' in schema || 'definitions' in schema ? schema : base
  const { $ref: ref, ...own } = schema
  if (typeof ref === 'string') {
    if (!ref.startsWith('#') || open.includes(ref)) return copy(own, here, open)
    return { ...copy(resolve(here, ref), here, [...open, ref]), ...copy(own, here, open) }
  }
  const kept = Object.entries(schema).filter(([key]) => !leftOut.has(key) && !key.startsWith('x-'))
  return tidy(mapSchemas<unknown>(Object.fromEntries(kept), inner => copy(inner, here, open)))
}

/**
 * Rewrites a schema for tools that support less: without empty parts of `allOf`, with `type` beside an `enum` of texts,
 * with `items` for every list, and with `additionalProperties` in place of the pattern `^.*$`.
 */
function tidy({ allOf, patternProperties, ...schema }: Record<string, unknown>): JsonSchema {
  const parts = Array.isArray(allOf) ? allOf.filter(part => !isObject(part) || Object.keys(part).length > 0) : []
  if (parts.length > 0) schema.allOf = parts
  if (Array.isArray(schema.enum) && schema.type === undefined && schema.enum.every(value => typeof value === 'string'))
    schema.type = 'string'
  if ([schema.type].flat().includes('array')) schema.items ??= {}
  if (!isObject(patternProperties)) return schema
  const isRecord = Object.keys(patternProperties).join() === anyName && schema.additionalProperties === undefined
  return { ...schema, ...(isRecord ? { additionalProperties: patternProperties[anyName] } : { patternProperties }) }
}

/**
 * Returns a schema that can be put anywhere in another document. Local references are replaced by their targets, which
 * are in the nearest enclosing schema with definitions. Other and recursive references, identifiers, definitions, `x-`
 * keywords and conditions (`if`), which client generators cannot follow, are left out.
 */
export const plainSchema = (schema: JsonSchema): JsonSchema => copy(schema, schema, [])

export const omit = <T extends object, K extends keyof T>(object: T, name: K): Omit<T, K> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as Omit<T, K>

/** Returns the named members of an object schema, whose own schemas are plain (`plainSchema`). */
export function membersOf(
  schema: JsonSchema
): readonly Readonly<{ name: string; schema: JsonSchema; required: boolean }>[] {
  const { required, properties } = plainSchema(schema)
  return Object.entries(isObject(properties) ? properties : {}).map(([name, member]) => ({
    name,
    schema: isObject(member) ? member : {},
    required: Array.isArray(required) && required.includes(name)
  }))
}
