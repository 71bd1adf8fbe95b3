import { isObject, type JsonSchema } from '../../canonical/json.ts'
import { pick } from '../pointers.ts'
import { argumentsOf, type Tool } from '../tool-catalogue.ts'

/** Keywords of the OpenAPI 3.0 subset that are kept unchanged. */
const kept = new Set(['description', 'pattern', 'minimum', 'maximum', 'required'])
/** Keywords that are 64-bit integers in Gemini's API, so JSON has them as strings (Protocol Buffers). */
const counts = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])
/** Keywords that other code here converts, that the subset implies, or that the service checks when it is called. */
const leftOut = new Set([
  'type',
  'enum',
  'const',
  'additionalProperties',
  'uniqueItems',
  'default',
  'examples',
  'title',
  'format',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'contentMediaType',
  'anyOf',
  'oneOf'
])

/** Whether a schema allows anything. Such an alternative is left out, because the others say which values are right. */
const isAnything = (schema: unknown): boolean =>
  isObject(schema) && Object.keys(schema).every(key => key === 'description')
const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null'

/** Returns the alternatives of a schema; `undefined` if it has none. */
function alternativesOf(schema: JsonSchema): readonly unknown[] | undefined {
  const { type, anyOf, oneOf } = schema
  const given = (anyOf ?? oneOf) as readonly unknown[] | undefined
  // If the schema has a type, alternatives without one only narrow it.
  const narrows = type !== undefined && given?.every(item => isObject(item) && item.type === undefined)
  if (given !== undefined && narrows !== true) return given
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : undefined
}

function alternativeSchema(schema: JsonSchema, alternatives: readonly unknown[]): JsonSchema | undefined {
  const members = alternatives.filter(item => !isNull(item) && !isAnything(item)).map(geminiSchema)
  const [only] = members
  if (only === undefined || members.includes(undefined)) return undefined
  return {
    ...(members.length === 1 ? only : { anyOf: members }),
    ...(typeof schema.description === 'string' ? { description: schema.description } : {}),
    ...(alternatives.some(isNull) ? { nullable: true } : {})
  }
}

/** Returns the `enum` of a schema if all values are strings; the subset allows no others. */
function enumeration(schema: JsonSchema): Record<string, unknown> {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  return Array.isArray(values) && values.length > 0 && values.every(value => typeof value === 'string')
    ? { enum: values }
    : {}
}

/** Converts the members of an object. One that the subset cannot express is left out; `undefined` if it is required. */
function geminiMembers(
  members: Readonly<Record<string, unknown>>,
  required: unknown
): Readonly<Record<string, JsonSchema>> | undefined {
  const converted: Record<string, JsonSchema> = {}
  for (const [name, member] of Object.entries(members)) {
    const schema = geminiSchema(member)
    if (schema !== undefined) converted[name] = schema
    else if (Array.isArray(required) && required.includes(name)) return undefined
  }
  return converted
}

/**
 * Converts a schema to the OpenAPI 3.0 subset for function declarations: `nullable` instead of a null type, no `const`
 * or list of types. Returns `undefined` if the subset cannot express it, such as an object without named members.
 */
export function geminiSchema(schema: unknown): JsonSchema | undefined {
  if (!isObject(schema)) return undefined
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) return alternativeSchema(schema, alternatives)
  if (typeof schema.type !== 'string') return undefined
  const out: Record<string, unknown> = { type: schema.type, ...enumeration(schema) }
  for (const [key, value] of Object.entries(schema)) {
    if (kept.has(key)) out[key] = value
    else if (counts.has(key)) out[key] = String(value)
    else if (key === 'items') out.items = geminiSchema(value)
    else if (key === 'properties' && isObject(value)) out.properties = geminiMembers(value, schema.required)
    else if (!leftOut.has(key)) return undefined
  }
  if (schema.type === 'object' && Object.keys(out.properties ?? {}).length === 0) return undefined
  if (schema.type === 'array' && out.items === undefined) return undefined
  if (Array.isArray(out.required) && out.required.length === 0) delete out.required
  return out
}

/** Returns a function declaration for Gemini. Parameters that the subset cannot express are given as JSON Schema. */
export function geminiTool(tool: Tool) {
  const declaration = pick(tool, 'name', 'description')
  if (tool.parameters.length === 0) return declaration
  const plain = argumentsOf(tool)
  const subset = geminiSchema(plain)
  return subset === undefined ? { ...declaration, parametersJsonSchema: plain } : { ...declaration, parameters: subset }
}
