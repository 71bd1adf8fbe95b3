// This file replaces the code of typebox at run time and uses only its types. If the 679 modules of typebox 1.4.3 were
// loaded, a cold `pantry validate` of the packed framework would take 1.45 times the processor time on Node 20, 1.38
// times on Node 22 (2026-11-27, medians of eight paired runs), and would open more than 128 files at once. If typebox
// were bundled, users of the package who install typebox would have it twice.

import type TypeBox from 'typebox'

/** Hidden property of the schema of an optional member. It is not enumerable, so it is not in JSON of the schema. */
const optional = '~optional'

type Schema = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, Schema>>

const hidden = (schema: Schema, name: string, value: unknown): Schema =>
  Object.defineProperty(schema, name, { value, enumerable: false, configurable: true, writable: true })

/** Makes a schema as typebox does, with the hidden `~kind`. The type `never` is assignable to the types of typebox. */
const make = (kind: string, keywords: Schema, options?: Schema): never =>
  hidden({ ...keywords, ...options }, '~kind', kind) as never

/** Copies a schema, with its hidden properties. */
const copyOf = (schema: object): Schema => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))

function objectOf(members: Members, options?: Schema): never {
  const required = Object.keys(members).filter(name => !Object.hasOwn(members[name] ?? {}, optional))
  return make('Object', { type: 'object', ...(required.length > 0 ? { required } : {}), properties: members }, options)
}

const optionalOf = (schema: Schema): never => hidden(copyOf(schema), optional, true) as never

const typeOf = (kind: string) => (options?: Schema) => make(kind, { type: kind.toLowerCase() }, options)

/** Gives each definition its name as `$id`, by which the others refer to it. */
const identified = (definitions: Members): Members =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, Object.assign(copyOf(schema), { $id: name })])
  )

const builders = {
  String: typeOf('String'),
  Number: typeOf('Number'),
  Integer: typeOf('Integer'),
  Boolean: typeOf('Boolean'),
  Null: typeOf('Null'),
  Unknown: (options?: Schema) => make('Unknown', {}, options),
  Never: (options?: Schema) => make('Never', { not: {} }, options),
  Literal: (value: string | number | boolean, options?: Schema) =>
    make('Literal', { type: typeof value, const: value }, options),
  Enum: (values: readonly (string | number)[], options?: Schema) => make('Enum', { enum: values }, options),
  Union: (anyOf: readonly Schema[], options?: Schema) => make('Union', { anyOf }, options),
  Intersect: (allOf: readonly Schema[], options?: Schema) => make('Intersect', { allOf }, options),
  Array: (items: Schema, options?: Schema) => make('Array', { type: 'array', items }, options),
  Record: (key: Schema, value: Schema, options?: Schema) =>
    make(
      'Record',
      { type: 'object', patternProperties: { [typeof key['pattern'] === 'string' ? key['pattern'] : '^.*$']: value } },
      options
    ),
  Object: objectOf,
  Optional: optionalOf,
  Partial: ({ properties }: { properties: Members }, options?: Schema) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, optionalOf(member)])),
      options
    ),
  Ref: (name: string, options?: Schema) => make('Ref', { $ref: name }, options),
  Cyclic: (definitions: Members, name: string, options?: Schema) =>
    make('Cyclic', { $defs: identified(definitions), $ref: name }, options),
  Unsafe: (schema: object) => hidden(copyOf(schema), '~unsafe', null) as never
}

/**
 * Builders of JSON Schemas whose values have TypeScript types (`Static`): the part of typebox that this project uses.
 * They return the same schemas as those of typebox, so a schema can contain schemas of both.
 */
export const Type = builders as Pick<typeof TypeBox, keyof typeof builders>
