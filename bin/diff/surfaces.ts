import { admitsEveryone } from '../../core/access/index.ts'
import { canonicalize, isObject, type JsonSchema, type JsonValue } from '../../core/canonical/json.ts'
import { membersOf, plainSchema } from '../../core/discovery/plain-schema.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { additive, breaking, documentation, missingFrom, type Difference } from './change.ts'

type Rule = (
  base: Surface,
  head: Surface,
  registries: Readonly<{ base: Registry; head: Registry }>
) => readonly Difference[]

const none: readonly Difference[] = []
const arrow = (from: unknown, to: unknown): string => `from ${String(from)} to ${String(to)}`
const isOpen = ({ service }: Registry, tier: string): boolean => service.tiers[tier]?.open === true
const differs = (a: unknown, b: unknown): boolean =>
  canonicalize((a ?? null) as JsonValue) !== canonicalize((b ?? null) as JsonValue)

const id: Rule = (base, head) =>
  base.id === head.id ? none : [breaking(`the name in the manifest and of the tool changes ${arrow(base.id, head.id)}`)]

const access: Rule = (base, head) => {
  const [before, now] = [base.access, head.access].map(access => [...access].sort().join(' or '))
  if (before === now) return none
  // Access is wider if everyone who had access still has it.
  const isWider = admitsEveryone(head.access) || base.access.every(name => head.access.includes(name))
  return [(isWider ? additive : breaking)(`access changes ${arrow(before, now)}`)]
}

const contract: Rule = (base, head) =>
  base.contract === head.contract ? none : [breaking(`contract changes ${arrow(base.contract, head.contract)}`)]

const license: Rule = (base, head, registries) =>
  base.license === head.license
    ? none
    : [
        (isOpen(registries.head, head.license) ? additive : breaking)(
          `license changes ${arrow(base.license, head.license)}`
        )
      ]

const status: Rule = (base, head) => {
  const [from, to] = [base.status, head.status]
  return from === to ? none : [(from >= 400 && to < 400 ? additive : breaking)(`status changes ${arrow(from, to)}`)]
}

const freshness: Rule = (base, head) => {
  const [from, to] = [base.freshness.seconds, head.freshness.seconds]
  return from === to
    ? none
    : [
        (to < from ? breaking : documentation)(
          `freshness ${to < from ? 'shortens' : 'lengthens'} ${arrow(from, to)} seconds`
        )
      ]
}

const formats: Rule = (base, head) => [
  ...missingFrom(head.formats, base.formats).map(format => breaking(`format ${format} is gone`)),
  ...missingFrom(base.formats, head.formats).map(format => additive(`format ${format} is new`)),
  ...(base.formats[0] === head.formats[0]
    ? none
    : [breaking(`default format changes ${arrow(base.formats[0], head.formats[0])}`)])
]

const prefixed = (where: string, differences: readonly Difference[]): Difference[] =>
  differences.map(({ impact, message }) => ({ impact, message: `${where}: ${message}` }))

/**
 * Returns the query schema without the parameter `format`, which is derived from the list of formats and compared
 * separately.
 */
function ownQuery({ formats: offered, input: { query } }: Surface): JsonSchema {
  if (offered.length < 2 || !isObject(query.properties)) return query
  return {
    ...query,
    properties: Object.fromEntries(Object.entries(query.properties).filter(([name]) => name !== 'format'))
  }
}

const limitOf = (from: number, to: number): readonly Difference[] =>
  from === to ? none : [(to < from ? breaking : additive)(`byte limit of the body changes ${arrow(from, to)}`)]

/** Compares the byte limits of a raw request body. Accepting one is additive because a request may omit it. */
const bytes: Rule = ({ input: { bytes: from } }, { input: { bytes: to } }) =>
  from === undefined || to === undefined
    ? from === to
      ? none
      : [
          to === undefined
            ? breaking('the bytes of a body are no longer read')
            : additive('a body of any content is read')
        ]
    : limitOf(from.limitBytes, to.limitBytes)

/** Compares the files that a form accepts. */
const files: Rule = ({ input: { files: from = {} } }, { input: { files: to = {} } }) => [
  ...missingFrom(Object.keys(to), Object.keys(from)).map(name => breaking(`the file \`${name}\` is no longer read`)),
  ...missingFrom(Object.keys(from), Object.keys(to)).map(name => additive(`a file \`${name}\` is read`)),
  ...Object.entries(from).flatMap(([name, file]) => {
    const now = to[name]
    if (now === undefined) return []
    return [
      ...missingFrom(now.types, file.types).map(type => breaking(`the file \`${name}\` may no longer be ${type}`)),
      ...missingFrom(file.types, now.types).map(type => additive(`the file \`${name}\` may be ${type}`)),
      ...limitOf(file.limitBytes, now.limitBytes)
    ]
  })
]

const input: Rule = (base, head) => {
  const [from, to] = [base.input.body, head.input.body]
  const body =
    from === undefined || to === undefined
      ? from === to
        ? none
        : [to === undefined ? breaking('the body is no longer read') : breaking('a body is required')]
      : [
          ...limitOf(from.limitBytes, to.limitBytes),
          ...prefixed('body', compareSchemas(from.schema, to.schema, 'input'))
        ]
  return [
    ...prefixed('path', compareSchemas(base.input.params, head.input.params, 'input')),
    ...prefixed('query', compareSchemas(ownQuery(base), ownQuery(head), 'input')),
    ...body
  ]
}

const output: Rule = (base, head) => prefixed('answer', compareSchemas(base.output, head.output, 'output'))

const promises: Rule = (base, head) =>
  Object.keys(base.promises)
    .filter(name => name in head.promises && differs(base.promises[name], head.promises[name]))
    .map(name => breaking(`the ${name} changes`))

const texts = [
  'kind',
  'summary',
  'description',
  'tags',
  'sources',
  'provenance',
  'stability',
  'since',
  'methodology',
  'doesNotInclude',
  'cache',
  'examples'
] as const
const words: Rule = (base, head) =>
  texts.filter(facet => differs(base[facet], head[facet])).map(facet => documentation(`${facet} changes`))

const rules: readonly Rule[] = [
  id,
  access,
  contract,
  license,
  status,
  freshness,
  formats,
  input,
  bytes,
  files,
  output,
  promises,
  words
]

/** Compares a surface with its earlier version. */
export const compareSurfaces: Rule = (base, head, registries) => rules.flatMap(rule => rule(base, head, registries))

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
