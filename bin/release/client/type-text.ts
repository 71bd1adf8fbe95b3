import { isObject, type JsonObject, type JsonValue } from '../../../core/canonical/json.ts'

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)

/** Returns a property name for TypeScript, quoted unless it is an identifier. */
export const nameText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

/** Returns a doc comment, or an empty string if there is no text. */
export const comment = (text: JsonValue | undefined, indent: string): string =>
  typeof text === 'string' && text !== ''
    ? `${indent}/** ${text
        .trim()
        .replaceAll('*/', '*\\/')
        .replaceAll(/\s*\n\s*/g, ' ')} */\n`
    : ''

const inBrackets = (text: string): string => (/[|&]/.test(text) ? `(${text})` : text)
const joined = (texts: readonly string[], sign: '|' | '&'): string => [...new Set(texts)].join(` ${sign} `)

/** Returns one member of an object type, preceded by its description. */
export const memberText = (
  name: string,
  schema: JsonValue,
  isNeeded: boolean,
  indent: string,
  description = isObject(schema) ? schema.description : undefined
): string =>
  `${comment(description, indent)}${indent}${nameText(name)}${isNeeded ? '' : '?'}: ${typeText(schema, indent)}\n`

function objectText({ properties, required, additionalProperties }: JsonObject, indent: string): string {
  const needed = isList(required) ? required : []
  const members = Object.entries(isObject(properties) ? properties : {})
  if (members.length > 0)
    return `{\n${members.map(([name, schema]) => memberText(name, schema, needed.includes(name), `${indent}  `)).join('')}${indent}}`
  return `Record<string, ${additionalProperties === false ? 'never' : typeText(additionalProperties, indent)}>`
}

const scalars: ReadonlyMap<JsonValue, string> = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null']
])

function namedType(type: JsonValue, schema: JsonObject, indent: string): string {
  if (type === 'array') return `${inBrackets(typeText(schema.items, indent))}[]`
  return type === 'object' ? objectText(schema, indent) : (scalars.get(type) ?? 'unknown')
}

/**
 * Returns the TypeScript type for a schema of OpenAPI 3.1 (JSON Schema 2020-12). Constraints that a type cannot
 * express, such as a pattern, are left out.
 */
export function typeText(schema: JsonValue | undefined, indent = ''): string {
  if (!isObject(schema)) return 'unknown'
  const { $ref: reference, const: fixed, enum: words, allOf, anyOf, oneOf, type } = schema
  if (typeof reference === 'string') return `Schemas[${JSON.stringify(reference.split('/').at(-1))}]`
  if (fixed !== undefined) return JSON.stringify(fixed)
  if (isList(words))
    return joined(
      words.map(word => JSON.stringify(word)),
      '|'
    )
  if (isList(allOf))
    return joined(
      allOf.map(part => inBrackets(typeText(part, indent))),
      '&'
    )
  if (isList(type))
    return joined(
      type.map(one => namedType(one, schema, indent)),
      '|'
    )
  const forms = anyOf ?? oneOf
  return type === undefined && isList(forms)
    ? joined(
        forms.map(form => typeText(form, indent)),
        '|'
      )
    : namedType(type ?? null, schema, indent)
}
