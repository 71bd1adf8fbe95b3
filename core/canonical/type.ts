// Ours at run time, typebox's in types: with the builders of typebox 1.4.3, 679 modules beside the package, a cold
// `pantry validate` of the packed framework over a library takes 1.45 times the processor time on Node 20 and 1.38
// times on Node 22 (2026-11-27, medians of eight paired runs), and opens more than 128 files at once. Bundled, as
// this service runs, it is 1.03 times; a package that holds a copy of it would be a second one beside its author's.

import type TypeBox from 'typebox'

/** Object schemas mark members that may be missing; the mark is not part of the schema's text. */
const optional = '~optional'

type Schema = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, Schema>>

const hidden = (schema: Schema, name: string, value: unknown): Schema =>
  Object.defineProperty(schema, name, { value, enumerable: false, configurable: true, writable: true })

/** A schema as typebox makes it, with its hidden `~kind`. What type it has is said by typebox: here it is anything. */
const make = (kind: string, keywords: Schema, options?: Schema): never =>
  hidden({ ...keywords, ...options }, '~kind', kind) as never

/** The same schema as another object, with what is hidden in it. */
const copy = (schema: object): Schema => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))

function objectOf(members: Members, options?: Schema): never {
  const required = Object.keys(members).filter(name => !Object.hasOwn(members[name] ?? {}, optional))
  return make('Object', { type: 'object', ...(required.length > 0 ? { required } : {}), properties: members }, options)
}

const optionalOf = (schema: Schema): never => hidden(copy(schema), optional, true) as never

/**
 * JSON Schemas whose values have TypeScript types (`Static`): the part of typebox that this project uses. What they
 * make is what typebox makes, so both can be in one schema.
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
