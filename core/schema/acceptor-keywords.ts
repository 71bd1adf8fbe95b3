import { createRequire } from 'node:module'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isObject, type JsonSchema } from '../canonical/json.ts'

/** Thrown when a schema is wrong or uses more than the supported part of JSON Schema; caught within this folder. */
export class NotPlain extends Error {}

/** Whether a value is certainly valid. */
export type Fits = (value: unknown) => boolean

/**
 * The context of a keyword: its schema, the types that a value can have there, and functions that compile other
 * schemas.
 */
export type KeywordPlace = Readonly<{
  schema: JsonSchema
  types: readonly string[]
  make: (schema: unknown, types?: readonly string[]) => Fits
  refer: (to: unknown) => Fits
}>

/**
 * One keyword. `type`: the type of the values that it checks, absent for all types. `make` returns `undefined` if
 * nothing needs a check.
 */
export type KeywordPart = Readonly<{
  type?: 'string' | 'number' | 'array' | 'object'
  make: (argument: unknown, place: KeywordPlace) => Fits | undefined
}>

type Members = Readonly<Record<string, unknown>>

/** The comparison function of the validator (ajv), which has no usable type declaration. */
const { default: equal } = createRequire(import.meta.url)('ajv/dist/runtime/equal.js') as {
  default: (a: unknown, b: unknown) => boolean
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) && value.length > 0 ? value : refuse())
// The validator ignores a property called `__proto__`.
const members = (value: unknown): Members => (isObject(value) && !Object.hasOwn(value, '__proto__') ? value : refuse())
const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object'

function refuse(): never {
  throw new NotPlain()
}

/** Returns the length in characters, not in UTF-16 code units. */
const lengthOf = (text: string): number => Array.from(text).length

function countLimit(argument: unknown): number {
  return Number.isInteger(argument) && (argument as number) >= 0 ? (argument as number) : refuse()
}

/** Returns a keyword whose argument is a number of characters, items or members. */
const counted = (type: KeywordPart['type'], fits: (value: never, limit: number) => boolean): KeywordPart => ({
  ...(type === undefined ? {} : { type }),
  make(argument) {
    const limit = countLimit(argument)
    return value => fits(value as never, limit)
  }
})

const bound = (fits: (value: number, limit: number) => boolean): KeywordPart => ({
  type: 'number',
  make: argument =>
    typeof argument === 'number' && Number.isFinite(argument) ? value => fits(value as number, argument) : refuse()
})

const branches = (argument: unknown, { make, types }: KeywordPlace): readonly Fits[] =>
  listOf(argument).map(one => make(one, types))

function expression(pattern: unknown): RegExp {
  if (typeof pattern !== 'string') return refuse()
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return refuse()
  }
}

function formatCheck(name: unknown): Fits {
  const format: unknown = known.has(name as string) ? (fullFormats as Members)[name as string] : refuse()
  const check = isObject(format) && 'validate' in format ? format['validate'] : format
  if (check instanceof RegExp) return value => check.test(value as string)
  return typeof check === 'function' ? value => (check as Fits)(value) : refuse()
}

/** The formats that the validator supports; `regex` is for schemas of schemas. */
export const formatNames = ['date', 'date-time', 'uri', 'uri-reference', 'regex', 'email'] as const
const known: ReadonlySet<string> = new Set(formatNames)

const patternsIn = (schema: JsonSchema): readonly RegExp[] =>
  schema['patternProperties'] === undefined ? [] : Object.keys(members(schema['patternProperties'])).map(expression)

const unique: Fits = value => {
  const items = value as readonly unknown[]
  return items.every(isScalar)
    ? new Set(items).size === items.length
    : items.every((item, at) => items.findIndex(other => equal(item, other)) === at)
}

const names = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.every(name => typeof name === 'string') && new Set(value).size === value.length
    ? value
    : refuse()
const hasAll = (value: unknown, required: readonly string[]): boolean =>
  required.every(name => (value as Members)[name] !== undefined)

const oneOf = (allowed: readonly unknown[]): Fits => {
  const scalars = new Set(allowed.filter(isScalar))
  const others = allowed.filter(one => !isScalar(one))
  return value => scalars.has(value) || others.some(other => equal(value, other))
}

/** The keywords of JSON Schema 2020-12 that schemas of services and manifests use. */
export const keywords: Readonly<Record<string, KeywordPart>> = {
  $schema: { make: argument => (argument === 'https://json-schema.org/draft/2020-12/schema' ? undefined : refuse()) },
  $ref: { make: (argument, { refer }) => refer(argument) },
  $defs: {
    make(argument, { make }) {
      for (const one of Object.values(members(argument))) make(one)
      return undefined
    }
  },
  enum: { make: argument => oneOf(listOf(argument)) },
  const: { make: argument => oneOf([argument]) },
  anyOf: {
    make(argument, place) {
      const all = branches(argument, place)
      return value => all.some(fits => fits(value))
    }
  },
  allOf: {
    make(argument, place) {
      const all = branches(argument, place)
      return value => all.every(fits => fits(value))
    }
  },
  oneOf: {
    make(argument, place) {
      const all = branches(argument, place)
      return value => all.filter(fits => fits(value)).length === 1
    }
  },
  not: {
    make(argument, { make, types }) {
      const fits = make(argument, types)
      return value => !fits(value)
    }
  },
  if: {
    make(argument, { schema, make, types }) {
      if (schema['then'] === undefined && schema['else'] === undefined) return refuse()
      const { then: yes = true, else: no = true } = schema
      const [condition, accepts, otherwise] = [make(argument, types), make(yes, types), make(no, types)]
      return value => (condition(value) ? accepts(value) : otherwise(value))
    }
  },
  then: { make: (_, { schema }) => (schema['if'] === undefined ? refuse() : undefined) },
  else: { make: (_, { schema }) => (schema['if'] === undefined ? refuse() : undefined) },

  minLength: counted('string', (text: string, limit) => lengthOf(text) >= limit),
  maxLength: counted('string', (text: string, limit) => text.length <= limit || lengthOf(text) <= limit),
  pattern: {
    type: 'string',
    make(argument) {
      const form = expression(argument)
      return value => form.test(value as string)
    }
  },
  format: { type: 'string', make: formatCheck },

  minimum: bound((value, limit) => value >= limit),
  maximum: bound((value, limit) => value <= limit),
  exclusiveMinimum: bound((value, limit) => value > limit),
  exclusiveMaximum: bound((value, limit) => value < limit),

  items: {
    type: 'array',
    make(argument, { make }) {
      const fits = make(argument)
      return value => (value as readonly unknown[]).every(item => fits(item))
    }
  },
  minItems: counted('array', (items: readonly unknown[], limit) => items.length >= limit),
  maxItems: counted('array', (items: readonly unknown[], limit) => items.length <= limit),
  uniqueItems: {
    type: 'array',
    make: argument => (argument === true ? unique : argument === false ? undefined : refuse())
  },

  properties: {
    type: 'object',
    make(argument, { make }) {
      const declared = Object.entries(members(argument)).map(([name, schema]) => [name, make(schema)] as const)
      return value => {
        for (const [name, fits] of declared) {
          const member = (value as Members)[name]
          if (member !== undefined && !fits(member)) return false
        }
        return true
      }
    }
  },
  required: {
    type: 'object',
    make(argument) {
      const required = names(argument)
      return value => hasAll(value, required)
    }
  },
  dependentRequired: {
    type: 'object',
    make(argument) {
      const all = Object.entries(members(argument)).map(([name, required]) => [name, names(required)] as const)
      return value => all.every(([name, required]) => (value as Members)[name] === undefined || hasAll(value, required))
    }
  },
  additionalProperties: {
    type: 'object',
    make(argument, { schema, make }) {
      const declared = new Set(schema['properties'] === undefined ? [] : Object.keys(members(schema['properties'])))
      const patterns = patternsIn(schema)
      const fits = make(argument)
      return value =>
        Object.keys(value as object).every(
          name => declared.has(name) || patterns.some(pattern => pattern.test(name)) || fits((value as Members)[name])
        )
    }
  },
  patternProperties: {
    type: 'object',
    make(argument, { schema, make }) {
      const all = Object.entries(members(argument)).map(([pattern, one]) => [expression(pattern), make(one)] as const)
      // The validator reports it as a mistake if a declared name matches one of the patterns.
      if (Object.keys(schema['properties'] ?? {}).some(name => all.some(([pattern]) => pattern.test(name))))
        return refuse()
      return value =>
        Object.entries(value as object).every(([name, member]) =>
          all.every(([pattern, fits]) => !pattern.test(name) || fits(member))
        )
    }
  },
  propertyNames: {
    type: 'object',
    make(argument, { make }) {
      const fits = make(argument, ['string'])
      return value => Object.keys(value as object).every(name => fits(name))
    }
  },
  minProperties: counted('object', (value: object, limit) => Object.keys(value).length >= limit),
  maxProperties: counted('object', (value: object, limit) => Object.keys(value).length <= limit)
}
