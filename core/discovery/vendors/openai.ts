import { isObject, type JsonSchema } from '../../canonical/json.ts'
import { pick } from '../pointers.ts'
import { argumentsOf, type Tool } from '../tool-catalogue.ts'

/** Keywords that the subset of strict mode has too. */
const kept = new Set([
  'type',
  'enum',
  'const',
  'description',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems'
])
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
/** Keywords that other code here converts, or that the service checks when it is called. */
const leftOut = new Set([
  'properties',
  'required',
  'additionalProperties',
  'minLength',
  'maxLength',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
  'examples',
  'title',
  'format',
  'contentMediaType'
])
const maxDepth = 10

function nullable(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...(schema.anyOf as unknown[]), { type: 'null' }] }
  const { const: only, ...rest } = schema
  const values = rest.enum ?? (only === undefined ? undefined : [only])
  return {
    ...rest,
    type: [...new Set([schema.type, 'null'].flat())],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {})
  }
}

function strictObject(schema: JsonSchema, depth: number): JsonSchema | undefined {
  if (schema.additionalProperties !== false || !isObject(schema.properties)) return undefined
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties: Record<string, JsonSchema> = {}
  for (const [name, member] of Object.entries(schema.properties)) {
    const strict = strictSchema(member, depth + 1)
    if (strict === undefined) return undefined
    properties[name] = required.includes(name) ? strict : nullable(strict)
  }
  return { properties, required: Object.keys(properties), additionalProperties: false }
}

/**
 * Converts a schema to the subset of strict mode, in which every member is required, so optional ones become nullable.
 * Returns `undefined` if the subset cannot express the schema, such as an object that is not closed, or a conditional
 * or combining keyword other than `anyOf`.
 */
export function strictSchema(schema: unknown, depth = 0): JsonSchema | undefined {
  if (!isObject(schema) || depth > maxDepth || (schema.type === undefined && schema.anyOf === undefined))
    return undefined
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (kept.has(key) || (key === 'format' && formats.has(String(value)))) out[key] = value
    else if (key === 'items' || key === 'anyOf') {
      const inner = [value].flat().map(item => strictSchema(item, depth + 1))
      if (inner.includes(undefined)) return undefined
      out[key] = Array.isArray(value) ? inner : inner[0]
    } else if (!leftOut.has(key)) return undefined
  }
  if (schema.type === 'array' && out.items === undefined) return undefined
  if (![schema.type].flat().includes('object')) return out
  const object = strictObject(schema, depth)
  return object === undefined ? undefined : { ...out, ...object }
}

/** Returns the function object of both OpenAI APIs, in strict mode if `strictSchema` can convert the arguments. */
function openaiFunction(tool: Tool) {
  const plain = argumentsOf(tool)
  const strict = strictSchema(plain)
  return { ...pick(tool, 'name', 'description'), parameters: strict ?? plain, strict: strict !== undefined }
}

/** Returns a tool for the Chat Completions API. */
export const openaiTool = (tool: Tool) => ({ type: 'function', function: openaiFunction(tool) })

/** Returns a tool for the Responses API. */
export const responsesTool = (tool: Tool) => ({ type: 'function', ...openaiFunction(tool) })
