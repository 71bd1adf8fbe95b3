// Our own code at run time, with the types of typebox. With the builders of typebox 1.4.3 (679 modules), a cold `pantry
// validate` of the packed framework over a library takes 1.45 times the processor time on Node 20 and 1.38 times on
// Node 22 (2026-11-27, medians of eight paired runs), and opens more than 128 files at once. Bundled, as this service
// runs, it takes 1.03 times; but if the package contained a copy of typebox, its users would have two.

import type TypeBox from 'typebox'

/** Marks a schema as an optional member of an object; the mark is not enumerable, so it is not in the schema's text. */
const optional = '~optional'

type Schema = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, Schema>>

const hidden = (schema: Schema, name: string, value: unknown): Schema =>
  Object.defineProperty(schema, name, { value, enumerable: false, configurable: true, writable: true })

/**
 * Makes a schema as typebox does, with the hidden `~kind`. The types come from typebox, so here the result is `never`.
 */
const make = (kind: string, keywords: Schema, options?: Schema): never =>
  hidden({ ...keywords, ...options }, '~kind', kind) as never

/** Copies a schema, with its hidden properties. */
const copy = (schema: object): Schema => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))

function objectOf(members: Members, options?: Schema): never {
  const required = Object.keys(members).filter(name => !Object.hasOwn(members[name] ?? {}, optional))
  return make('Object', { type: 'object', ...(required.length > 0 ? { required } : {}), properties: members }, options)
}

const optionalOf = (schema: Schema): never => hidden(copy(schema), optional, true) as never

/**
 * Builders of JSON Schemas whose values have TypeScript types (`Static`): the part of typebox that this project uses.
 * They return the same as typebox, so one schema can contain both.
 */
export const Type = {
  String: (options?: Schema) => make('String', { type: 'string' }, options),
  Number: (options?: Schema) => make('Number', { type: 'number' }, options),
  Integer: (options?: Schema) => make('Integer', { type: 'integer' }, options),
  Boolean: (options?: Schema) => make('Boolean', { type: 'boolean' }, options),
  Null: (options?: Schema) => make('Null', { type: 'null' }, options),
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
  Unsafe: (schema: object) => hidden(copy(schema), '~unsafe', null) as never
} as Pick<
  typeof TypeBox,
  | 'String'
  | 'Number'
  | 'Integer'
  | 'Boolean'
  | 'Null'
  | 'Unknown'
  | 'Never'
  | 'Literal'
  | 'Enum'
  | 'Union'
  | 'Intersect'
  | 'Array'
  | 'Record'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Unsafe'
>
