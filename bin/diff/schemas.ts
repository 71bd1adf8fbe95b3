import { canonicalize } from '../../core/canonical/canonical-json.ts'
import { isObject, type JsonSchema, type JsonValue } from '../../core/canonical/json.ts'
import { membersOf, plainSchema } from '../../core/discovery/plain-schema.ts'
import { additive, breaking, documentation, missingFrom, type Difference } from './change.ts'

/**
 * Who provides the value: a client (`input`), for whom accepting less is breaking, or the service (`output`), for whose
 * clients returning more is breaking.
 */
type Direction = 'input' | 'output'

const textOf = (value: unknown): string => canonicalize((value ?? null) as JsonValue)
const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/**
 * Compares two sets of allowed values. Lost values break input; gained values break output if `gainedHurts`, but new
 * enum values in a response are additive by the changelog's rules.
 */
function compareSets(
  what: string,
  where: string,
  base: readonly unknown[],
  head: readonly unknown[],
  direction: Direction,
  gainedHurts: boolean
): Difference[] {
  const lost = missingFrom(head.map(textOf), base.map(textOf))
  const gained = missingFrom(base.map(textOf), head.map(textOf))
  return [
    ...lost.map(word => (direction === 'input' ? breaking : additive)(`${what} of ${where} no longer allows ${word}`)),
    ...gained.map(word =>
      (direction === 'output' && gainedHurts ? breaking : additive)(`${what} of ${where} now allows ${word}`)
    )
  ]
}

const shown = (bound: unknown): string => (bound === undefined ? 'none' : JSON.stringify(bound))

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

function compareBounds(where: string, base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] {
  return [...lowerBounds, ...upperBounds]
    .filter(name => base[name] !== head[name])
    .map(name => {
      const absent = lowerBounds.includes(name) ? -Infinity : Infinity
      const [from, to] = [base, head].map(schema => (typeof schema[name] === 'number' ? schema[name] : absent)) as [
        number,
        number
      ]
      const isNarrower = lowerBounds.includes(name) ? to > from : to < from
      const message = `${name} of ${where} changes from ${shown(base[name])} to ${shown(head[name])}`
      return direction === 'input' && isNarrower ? breaking(message) : additive(message)
    })
}

const membersByName = (schema: JsonSchema): Map<string, ReturnType<typeof membersOf>[number]> =>
  new Map(membersOf(schema).map(member => [member.name, member]))

function compareMembers(where: string, base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] {
  const [before, after] = [membersByName(base), membersByName(head)]
  const place = (name: string): string => (where === '' ? name : `${where}.${name}`)
  const gone = [...before.keys()].filter(name => !after.has(name)).map(name => breaking(`\`${place(name)}\` is gone`))
  return [
    ...gone,
    ...[...after.values()].flatMap(({ name, schema, required }) => {
      const known = before.get(name)
      const what = `\`${place(name)}\``
      if (known === undefined)
        return [
          direction === 'input' && required ? breaking(`${what} is new and required`) : additive(`${what} is new`)
        ]
      const need =
        known.required === required
          ? []
          : [
              required === (direction === 'input')
                ? breaking(`${what} is ${required ? 'now required' : 'no longer always there'}`)
                : additive(`${what} is ${required ? 'now always there' : 'no longer required'}`)
            ]
      return [...need, ...compare(place(name), known.schema, schema, direction)]
    })
  ]
}

/**
 * Keywords whose change alters the meaning of a value (`decisive`), and keywords that only restrict it (`limiting`).
 */
const decisive = ['const', 'anyOf', 'oneOf', 'allOf', 'not']
const limiting = ['pattern', 'format', 'default', 'uniqueItems', 'additionalProperties']
const differing = (keywords: readonly string[], base: JsonSchema, head: JsonSchema): string[] =>
  keywords.filter(name => textOf(base[name]) !== textOf(head[name]))

function compare(where: string, base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] {
  if (textOf(base) === textOf(head)) return []
  const what = where === '' ? 'the value' : `\`${where}\``
  const found = [
    ...compareSets('type', what, listOf(base.type), listOf(head.type), direction, true),
    ...compareSets(
      'enum',
      what,
      listOf(base.enum),
      listOf(head.enum),
      direction,
      base.enum === undefined || head.enum === undefined
    ),
    ...compareBounds(what, base, head, direction),
    ...differing(decisive, base, head).map(name => breaking(`${name} of ${what} changes`)),
    ...differing(limiting, base, head).map(name =>
      (direction === 'input' ? breaking : documentation)(`${name} of ${what} changes`)
    ),
    ...compareMembers(where, base, head, direction),
    ...(isObject(base.items) && isObject(head.items) ? compare(`${where}[]`, base.items, head.items, direction) : [])
  ]
  return found.length > 0 ? found : [documentation(`the description of ${what} changes`)]
}

/** Compares two schemas of one value; empty if they are equivalent for a client. */
export const compareSchemas = (base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] =>
  compare('', plainSchema(base), plainSchema(head), direction)
