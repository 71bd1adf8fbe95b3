import { isObject, type JsonSchema } from '../canonical/json.ts'

const leftOut = new Set(['$schema', '$id', '$defs', 'definitions', '$comment', 'if', 'then', 'else'])
const plainData = new Set(['enum', 'const', 'default', 'examples', 'example', 'required'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const anyName = '^.*$'

/** Returns the schema that a local reference names: a JSON pointer in a URI fragment (RFC 6901 §6). */
function resolve(base: JsonSchema, ref: string): JsonSchema {
  let value: unknown = base
  for (const token of ref.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    value = isObject(value) ? value[name] : undefined
  }
  return isObject(value) ? value : {}
}

/**
 * Copies a schema or a list of schemas. `open` holds the references that are being copied, so that a recursive schema
 * ends.
 */
function copy(value: unknown, base: JsonSchema, open: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => copy(item, base, open))
  if (!isObject(value)) return value
  const here = '$defs' in value || 'definitions' in value ? value : base
  const { $ref: ref, ...own } = value
  if (typeof ref === 'string') {
    if (!ref.startsWith('#') || open.includes(ref)) return copy(own, here, open)
    return { ...(copy(resolve(here, ref), here, [...open, ref]) as object), ...(copy(own, here, open) as object) }
  }
  const out: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (leftOut.has(key) || key.startsWith('x-')) continue
    if (plainData.has(key)) out[key] = member
    else if (maps.has(key) && isObject(member))
      out[key] = Object.fromEntries(Object.entries(member).map(([name, schema]) => [name, copy(schema, here, open)]))
    else out[key] = copy(member, here, open)
  }
  return tidy(out)
}

/**
 * Removes the parts of `allOf` that held only a condition, adds the type that an enumeration implies and an open
 * `items` to arrays, and writes a record with `additionalProperties`, which every tool supports.
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
 * Returns a schema that can be put anywhere in another document: local references are replaced by their targets;
 * identifiers, definitions and `x-` members are left out. So are conditions (`if`), because client generators cannot
 * follow them. In a recursive schema, the inner schema is left open. References are resolved in the nearest enclosing
 * schema with definitions, because a corpus schema may be part of a larger one.
 */
export const plainSchema = (schema: JsonSchema): JsonSchema => copy(schema, schema, []) as JsonSchema

/** Returns an object without one of its members. */
export const without = <T extends object, K extends keyof T>(object: T, name: K): Omit<T, K> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as Omit<T, K>

/** Returns the members of an object schema: name, schema, and whether each is required. */
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
