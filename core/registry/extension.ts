import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import type { Registry } from './registry.ts'

/** Members that a root adds to a discovery document: default export of `surfaces/discovery.ts`, as a list. */
export type DocumentExtension = Readonly<{
  document: string
  /** Where in the document: names of members, `*` for every item or member. The document itself when absent. */
  within?: readonly string[]
  /** The member that the new ones follow. */
  after: string
  /** Schema of each new member, in order. None is optional. */
  members: Readonly<Record<string, object>>
  /** The new members of one such place. */
  build: (registry: Registry, place: JsonObject) => JsonObject
}>

const insertAfter = <T>(
  entries: readonly (readonly [string, T])[],
  after: string,
  more: readonly (readonly [string, T])[]
): Record<string, T> => Object.fromEntries(entries.flatMap(entry => (entry[0] === after ? [entry, ...more] : [entry])))

/** Applies a change to every object that a path leads to. */
function changeWithin(value: JsonValue, path: readonly string[], change: (place: JsonObject) => JsonObject): JsonValue {
  const [step, ...rest] = path
  if (Array.isArray(value))
    return step === '*'
      ? (value as readonly JsonValue[]).map(item => changeWithin(item, rest, change))
      : (value as readonly JsonValue[])
  if (!isObject(value)) return value
  if (step === undefined) return change(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      step === '*' || name === step ? changeWithin(member, rest, change) : member
    ])
  )
}

/** The same on the schema of such a value: `*` goes into items and into members that have no names of their own. */
function changeSchemaWithin(
  schema: JsonSchema,
  path: readonly string[],
  change: (place: JsonSchema) => JsonSchema
): JsonSchema {
  const [step, ...rest] = path
  if (step === undefined) return change(schema)
  const inner = (part: unknown): unknown => (isObject(part) ? changeSchemaWithin(part, rest, change) : part)
  const members = (part: unknown): unknown =>
    isObject(part)
      ? Object.fromEntries(
          Object.entries(part).map(([name, member]) => [name, step === '*' || name === step ? inner(member) : member])
        )
      : part
  const places = step === '*' ? { items: inner, patternProperties: members } : { properties: members }
  return {
    ...schema,
    ...Object.fromEntries(
      Object.entries(places).flatMap(([name, go]) => (schema[name] === undefined ? [] : [[name, go(schema[name])]]))
    )
  }
}

/** The value of a document with the members of its extensions. */
export const extendValue = (registry: Registry, document: string, value: JsonValue): JsonValue =>
  registry.extensions
    .filter(extension => extension.document === document)
    .reduce(
      (extended, { within = [], after, build }) =>
        changeWithin(extended, within, place =>
          insertAfter(Object.entries(place), after, Object.entries(build(registry, place)))
        ),
      value
    )

/** The schema of a document with the members of its extensions. */
export const extendSchema = (
  extensions: readonly DocumentExtension[],
  document: string,
  schema: JsonSchema
): JsonSchema =>
  extensions
    .filter(extension => extension.document === document)
    .reduce(
      (extended, { within = [], after, members }) =>
        changeSchemaWithin(extended, within, place => ({
          ...place,
          properties: insertAfter(Object.entries(place['properties'] ?? {}), after, Object.entries(members)),
          required: ((place['required'] as string[] | undefined) ?? []).flatMap(name =>
            name === after ? [name, ...Object.keys(members)] : [name]
          )
        })),
      schema
    )
