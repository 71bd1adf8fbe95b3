import type { JsonSchema } from '../../canonical/json.ts'
import { isObject } from '../../canonical/json.ts'
import { argumentsOf, type Tool } from '../tool-catalogue.ts'

/** Keywords of the OpenAPI 3.0 subset that are kept unchanged. */
const kept = new Set(['description', 'pattern', 'minimum', 'maximum', 'required'])
/** Keywords that are 64-bit integers in Gemini's API, so JSON has them as strings (Protocol Buffers). */
const counts = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])
/**
 * Keywords that only narrow a value or that the subset implies. They are left out, because the service checks the value
 * again.
 */
const ignored = new Set([
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

/** Whether an alternative allows anything. It is left out; the other alternatives say which values are right. */
const isAnything = (schema: unknown): boolean =>
  isObject(schema) && Object.keys(schema).every(key => key === 'description')
const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null'

/** Returns the alternatives of a schema, and whether null is one of them. */
function alternatives(schema: JsonSchema): { nullable: boolean; list: readonly unknown[] | undefined } {
  const given: unknown = schema.anyOf ?? schema.oneOf
  // Alternatives without a type only narrow the type of the schema itself.
  const narrows =
    schema.type !== undefined && Array.isArray(given) && given.every(item => isObject(item) && item.type === undefined)
  if (Array.isArray(given) && !narrows)
    return { nullable: given.some(isNull), list: given.filter(item => !isNull(item) && !isAnything(item)) }
  if (!Array.isArray(schema.type)) return { nullable: false, list: undefined }
  const types = (schema.type as unknown[]).filter(type => type !== 'null')
  return { nullable: types.length < schema.type.length, list: types.map(type => ({ ...schema, type })) }
}

function alternativeSchema(schema: JsonSchema, list: readonly unknown[], nullable: boolean): JsonSchema | undefined {
  const members = list.map(geminiSchema)
  const [only] = members
  if (only === undefined || members.includes(undefined)) return undefined
  const description = typeof schema.description === 'string' ? { description: schema.description } : {}
  return {
    ...(members.length === 1 ? only : { anyOf: members }),
    ...description,
    ...(nullable ? { nullable: true } : {})
  }
}

/**
 * Returns the `enum` of a schema if all values are strings, because the subset allows only strings; the description
 * mentions others.
 */
function enumeration(schema: JsonSchema): Record<string, unknown> {
  const values: unknown[] =
    schema.const === undefined ? (Array.isArray(schema.enum) ? schema.enum : []) : [schema.const]
  return values.length > 0 && values.every(value => typeof value === 'string') ? { enum: values } : {}
}

/**
 * Returns the members of an object. An optional member that the subset cannot express is left out; if a required one
 * cannot be expressed, the result is `undefined`.
 */
function geminiMembers(
  members: Readonly<Record<string, unknown>>,
  required: unknown
): Readonly<Record<string, JsonSchema>> | undefined {
  const said = Object.entries(members).map(([name, member]) => [name, geminiSchema(member)] as const)
  const isNeeded = (name: string): boolean => Array.isArray(required) && required.includes(name)
  if (said.some(([name, member]) => member === undefined && isNeeded(name))) return undefined
  return Object.fromEntries(said.flatMap(([name, member]) => (member === undefined ? [] : [[name, member]])))
}

/**
 * Converts a schema to the OpenAPI 3.0 subset for function declarations: no `$ref`, `const` or list of types;
 * `nullable` instead of a null type. Returns `undefined` if the subset cannot express it, such as an object without
 * named members.
 */
export function geminiSchema(schema: unknown): JsonSchema | undefined {
  if (!isObject(schema)) return undefined
  const { nullable, list } = alternatives(schema)
  if (list !== undefined) return alternativeSchema(schema, list, nullable)
  if (typeof schema.type !== 'string') return undefined
  const out: Record<string, unknown> = { type: schema.type, ...enumeration(schema) }
  for (const [key, value] of Object.entries(schema)) {
    if (kept.has(key)) out[key] = value
    else if (counts.has(key)) out[key] = String(value)
    else if (key === 'items') out.items = geminiSchema(value)
    else if (key === 'properties' && isObject(value)) out.properties = geminiMembers(value, schema.required)
    else if (!ignored.has(key) && !['type', 'enum', 'const'].includes(key)) return undefined
  }
  if (schema.type === 'object' && (!isObject(out.properties) || Object.keys(out.properties).length === 0))
    return undefined
  if (schema.type === 'array' && out.items === undefined) return undefined
  if (Array.isArray(out.required) && out.required.length === 0) delete out.required
  return out
}

/**
 * Returns a function declaration for Gemini. It has no `parameters` if there are none; if the subset cannot express
 * them, they are given as JSON Schema.
 */
export function geminiTool(tool: Tool) {
  const declaration = { name: tool.name, description: tool.description }
  if (tool.parameters.length === 0) return declaration
  const plain = argumentsOf(tool)
  const subset = geminiSchema(plain)
  return subset === undefined ? { ...declaration, parametersJsonSchema: plain } : { ...declaration, parameters: subset }
}
