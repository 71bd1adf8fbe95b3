import { isObject, type JsonSchema } from '../canonical/json.ts'

type Loose = Readonly<Record<string, unknown>>

const bookkeeping = new Set(['$schema', '$id', '$defs', 'definitions', '$comment'])
const plainData = new Set(['enum', 'const', 'default', 'examples', 'example', 'required'])
const conditions = new Set(['if', 'then', 'else'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const anyName = '^.*$'

function resolve(base: Loose, ref: string): Loose {
  let value: unknown = base
  for (const token of ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter(part => part !== '')) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    value = isObject(value) ? value[name] : undefined
  }
  return isObject(value) ? value : {}
}

/**
 * Copies a schema or a list of schemas. `open` holds the references that are being copied, so that a recursive schema
 * ends.
 */
function copy(value: unknown, base: Loose, open: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => copy(item, base, open))
  if (!isObject(value)) return value
  const here = '$defs' in value || 'definitions' in value ? value : base
  const { $ref: ref, ...own } = value
  if (typeof ref === 'string') {
    if (!ref.startsWith('#') || open.includes(ref)) return copy(own, here, open)
    return { ...(copy(resolve(here, ref), here, [...open, ref]) as Loose), ...(copy(own, here, open) as Loose) }
  }
  const out: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (bookkeeping.has(key) || conditions.has(key) || key.startsWith('x-')) continue
    if (plainData.has(key)) out[key] = member
    else if (maps.has(key) && isObject(member))
      out[key] = Object.fromEntries(Object.entries(member).map(([name, schema]) => [name, copy(schema, here, open)]))
    else out[key] = copy(member, here, open)
  }
  return tidy(withoutEmpty(out))
}

/** Removes the parts of `allOf` that are empty because they held only a condition. */
function withoutEmpty(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...rest } = schema
  const parts = Array.isArray(allOf) ? allOf.filter(part => !isObject(part) || Object.keys(part).length > 0) : []
  return parts.length === 0 ? rest : { ...rest, allOf: parts }
}

/**
 * Adds the type that an enumeration implies and an open `items` to arrays, and writes a record with
 * `additionalProperties`, which every tool supports.
 */
function tidy({ patternProperties, ...schema }: Record<string, unknown>): Loose {
  if (Array.isArray(schema.enum) && schema.type === undefined && schema.enum.every(value => typeof value === 'string'))
    schema.type = 'string'
  if (
    (schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'))) &&
    schema.items === undefined
  )
    schema.items = {}
  if (!isObject(patternProperties)) return schema
  const only = Object.keys(patternProperties).join() === anyName && schema.additionalProperties === undefined
  return only ? { ...schema, additionalProperties: patternProperties[anyName] } : { ...schema, patternProperties }
}

/**
 * Returns a schema that can be put anywhere in another document: local references are replaced by their targets;
 * identifiers, definitions and `x-` members are left out. So are conditions (`if`), because client generators cannot
 * follow them; the members' descriptions explain them. In a recursive schema, the inner schema is left open. References
 * are resolved in the nearest enclosing schema with definitions, because a corpus schema may be part of a larger one.
 */
export const plainSchema = (schema: JsonSchema): JsonSchema => copy(schema, schema, []) as JsonSchema

/** Returns a schema without one of its keywords. */
export const without = (schema: JsonSchema, keyword: string): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword))

/** Returns the members of an object schema: name, schema, and whether each is required. */
export function membersOf(
  schema: JsonSchema
): readonly Readonly<{ name: string; schema: JsonSchema; required: boolean }>[] {
  const plain = plainSchema(schema)
  const required: unknown = plain.required
  return Object.entries(isObject(plain.properties) ? plain.properties : {}).map(([name, member]) => ({
    name,
    schema: isObject(member) ? member : {},
    required: Array.isArray(required) && required.includes(name)
  }))
}
