import type { JsonSchema } from '../canonical/json.ts'
import type { FilterOperation } from './surface.ts'

/** The members of an object schema, by name. */
export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  schema['properties'] as Record<string, JsonSchema> | undefined ?? {}

export const requiredOf = (schema: JsonSchema): readonly string[] => schema['required'] as string[] | undefined ?? []

export const typesOf = (schema: JsonSchema): string[] => {
  const { type, enum: values } = schema as { type?: string | string[], enum?: unknown[] }
  if (type !== undefined) return [type].flat()
  return [...new Set((values ?? []).map(value => value === null ? 'null' : typeof value))]
}

/** The schema of one value of a field: a list field is filtered by what it contains, `null` cannot be asked for. */
const valueSchema = (field: JsonSchema): JsonSchema =>
  typesOf(field).includes('array') && field['items'] !== undefined ? field['items'] as JsonSchema : field

/** The words of a field that takes a closed list of words, else `undefined`. */
export function wordsOf (field: JsonSchema): string[] | undefined {
  const words = (valueSchema(field)['enum'] as unknown[] | undefined)?.filter(value => typeof value === 'string')
  return words?.length === 0 ? undefined : words
}

const isDate = (schema: JsonSchema): boolean => schema['format'] === 'date' || schema['format'] === 'date-time'
const scalars = ['string', 'integer', 'number', 'boolean']

/** Whether a filter operation can compare a field. */
export function fits (operation: FilterOperation, field: JsonSchema): boolean {
  const value = valueSchema(field)
  const types = typesOf(value).filter(type => type !== 'null')
  switch (operation) {
    case 'since': return isDate(value)
    case 'maximum': return types.length > 0 && types.every(type => type === 'integer' || type === 'number')
    case 'equals': return types.length === 1 && scalars.includes(types[0] ?? '')
    case 'equals-any-case': return types.length === 1 && types[0] === 'string' && value['enum'] === undefined
  }
}

/** Schema of the query parameter of a filter. Texts are at most 160 characters. */
export function filterSchema (operation: FilterOperation, name: string, field: JsonSchema): JsonSchema {
  const value = valueSchema(field)
  const [type = 'string'] = typesOf(value).filter(one => one !== 'null')
  const words = wordsOf(field)
  if (operation === 'since') return { type: 'string', format: 'date', description: `Entries whose \`${name}\` is this date or later.` }
  const bounds = Object.fromEntries(['minimum', 'maximum'].flatMap(bound => value[bound] === undefined ? [] : [[bound, value[bound]]]))
  if (operation === 'maximum') return { type, ...bounds, description: `Entries whose \`${name}\` is at most this number.` }
  const description = `Entries whose \`${name}\` is this value${operation === 'equals-any-case' ? ', in capitals or not' : ''}.`
  if (words !== undefined) return { type: 'string', enum: words, description }
  return type === 'string' ? { type, minLength: 1, maxLength: 160, description } : { type, ...bounds, description }
}
