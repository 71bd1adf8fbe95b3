import type { JsonSchema } from '../canonical/json.ts'

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
