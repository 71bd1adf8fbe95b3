import { admitsEveryone } from '../../core/access/index.ts'
import { canonicalize, isObject, type JsonSchema, type JsonValue } from '../../core/canonical/json.ts'
import { membersOf, plainSchema } from '../../core/discovery/plain-schema.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { typesOf } from '../../core/schema/json-schema.ts'
import { additive, breaking, compareNames, documentation, missingFrom, type Difference } from './change.ts'

type Rule = (
  base: Surface,
  head: Surface,
  registries: Readonly<{ base: Registry; head: Registry }>
) => readonly Difference[]

const none: readonly Difference[] = []
const textOf = (value: unknown): string => canonicalize((value ?? null) as JsonValue)

const compareValues = (
  what: string,
  from: string | number | undefined,
  to: string | number | undefined,
  impact: (message: string) => Difference
): readonly Difference[] => (from === to ? none : [impact(`${what} changes from ${from} to ${to}`)])

const id: Rule = (base, head) => compareValues('the name in the manifest and of the tool', base.id, head.id, breaking)

const access: Rule = (base, head) => {
  const [before, now] = [base.access, head.access].map(access => [...access].sort().join(' or '))
  // Access is wider if everyone who had access still has it.
  const isWider = admitsEveryone(head.access) || base.access.every(name => head.access.includes(name))
  return compareValues('access', before, now, isWider ? additive : breaking)
}

const scope: Rule = (base, head) =>
  compareValues('the scope of keys', base.scope, head.scope, head.scope === undefined ? additive : breaking)

const contract: Rule = (base, head) => compareValues('contract', base.contract, head.contract, breaking)

const license: Rule = (base, head, { head: { service } }) => {
  const isOpen = service.tiers[head.license]?.open === true
  return compareValues('license', base.license, head.license, isOpen ? additive : breaking)
}

const status: Rule = ({ status: from }, { status: to }) =>
  compareValues('status', from, to, from >= 400 && to < 400 ? additive : breaking)

const freshness: Rule = ({ freshness: { seconds: from } }, { freshness: { seconds: to } }) => {
  if (from === to) return none
  return to < from
    ? [breaking(`freshness shortens from ${from} to ${to} seconds`)]
    : [documentation(`freshness lengthens from ${from} to ${to} seconds`)]
}

const formats: Rule = ({ formats: from }, { formats: to }) => [
  ...compareNames(
    from,
    to,
    format => `format ${format} is gone`,
    format => `format ${format} is new`
  ),
  ...compareValues('default format', from[0], to[0], breaking)
]

const prefixed = (where: string, differences: readonly Difference[]): Difference[] =>
  differences.map(({ impact, message }) => ({ impact, message: `${where}: ${message}` }))

const without = (names: readonly string[], value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/**
 * Returns the query parameters without what is compared elsewhere: `format`, which follows from the formats, `lang` of
 * the languages of the service, and whether undeclared ones are refused.
 */
function ownQuery(
  { formats: offered, languages, shows, input: { query } }: Surface,
  { corpora }: Registry
): JsonSchema {
  const own = without(['additionalProperties'], query)
  if (!isObject(query.properties)) return own
  const ofContent = corpora.get(shows?.corpus ?? '')?.translations !== undefined
  const derived = [...(offered.length < 2 ? [] : ['format']), ...(languages === undefined || ofContent ? [] : ['lang'])]
  return { ...own, properties: without(derived, query.properties) }
}

const compareLimits = (from: number, to: number): readonly Difference[] =>
  compareValues('byte limit of the body', from, to, to < from ? breaking : additive)

/** Compares the raw bytes that are read. To accept them is additive, because a request may omit them. */
const bytes: Rule = ({ input: { bytes: from } }, { input: { bytes: to } }) => {
  if (from !== undefined && to !== undefined) return compareLimits(from.limitBytes, to.limitBytes)
  if (from !== undefined) return [breaking('the bytes of a body are no longer read')]
  return to === undefined ? none : [additive('a body of any content is read')]
}

const files: Rule = ({ input: { files: from = {} } }, { input: { files: to = {} } }) => [
  ...compareNames(
    Object.keys(from),
    Object.keys(to),
    name => `the file \`${name}\` is no longer read`,
    name => `a file \`${name}\` is read`
  ),
  ...Object.entries(from).flatMap(([name, file]) => {
    const now = to[name]
    if (now === undefined) return []
    return [
      ...compareNames(
        file.types,
        now.types,
        type => `the file \`${name}\` may no longer be ${type}`,
        type => `the file \`${name}\` may be ${type}`
      ),
      ...compareLimits(file.limitBytes, now.limitBytes)
    ]
  })
]

const body: Rule = ({ input: { body: from } }, { input: { body: to } }) => {
  if (from !== undefined && to !== undefined)
    return [
      ...compareLimits(from.limitBytes, to.limitBytes),
      ...prefixed('body', compareSchemas(from.schema, to.schema, 'input'))
    ]
  if (from !== undefined) return [breaking('the body is no longer read')]
  return to === undefined ? none : [breaking('a body is required')]
}

const input: Rule = (base, head, registries) => [
  ...prefixed('path', compareSchemas(base.input.params, head.input.params, 'input')),
  ...prefixed('query', compareSchemas(ownQuery(base, registries.base), ownQuery(head, registries.head), 'input'))
]

const refusal: Rule = ({ strict: from = false }, { strict: to = false }) => {
  if (from === to) return none
  return to
    ? [breaking('undeclared query parameters are refused')]
    : [additive('undeclared query parameters are no longer refused')]
}

const output: Rule = (base, head) => prefixed('answer', compareSchemas(base.output, head.output, 'output'))

const promises: Rule = (base, head) =>
  Object.keys(base.promises)
    .filter(name => name in head.promises && textOf(base.promises[name]) !== textOf(head.promises[name]))
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
  texts.filter(facet => textOf(base[facet]) !== textOf(head[facet])).map(facet => documentation(`${facet} changes`))

const rules = [
  id,
  access,
  scope,
  contract,
  license,
  status,
  freshness,
  formats,
  input,
  refusal,
  body,
  bytes,
  files,
  output,
  promises,
  words
]

export const compareSurfaces: Rule = (base, head, registries) => rules.flatMap(rule => rule(base, head, registries))

/**
 * Who provides the value: a client (`input`), for whom accepting less is breaking, or the service (`output`), whose
 * clients break if it returns more.
 */
type Direction = 'input' | 'output'

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/**
 * Compares the values that a keyword allows: lost ones break input; gained ones break output, but new values of an
 * `enum` in a response are additive by the rules of the changelog.
 */
function compareAllowed(
  keyword: 'type' | 'enum',
  where: string,
  base: JsonSchema,
  head: JsonSchema,
  direction: Direction
): Difference[] {
  const allowed = (schema: JsonSchema): string[] =>
    (keyword === 'type' ? typesOf(schema) : listOf(schema.enum)).map(textOf)
  const [before, after] = [allowed(base), allowed(head)]
  // Without the keyword every value is allowed.
  if ((before.length === 0) !== (after.length === 0)) {
    const isNarrower = before.length === 0
    const difference = isNarrower === (direction === 'input') ? breaking : additive
    return [difference(`${keyword} of ${where} ${isNarrower ? 'now limits' : 'no longer limits'} its values`)]
  }
  const isEnum = keyword === 'enum'
  const [lost, gained] = [
    direction === 'input' ? breaking : additive,
    direction === 'output' && !isEnum ? breaking : additive
  ]
  return [
    ...missingFrom(after, before).map(word => lost(`${keyword} of ${where} no longer allows ${word}`)),
    ...missingFrom(before, after).map(word => gained(`${keyword} of ${where} now allows ${word}`))
  ]
}

const shown = (bound: unknown): string => (bound === undefined ? 'none' : JSON.stringify(bound))

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

function compareBounds(where: string, base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] {
  return [...lowerBounds, ...upperBounds]
    .filter(name => base[name] !== head[name])
    .map(name => {
      const isLower = lowerBounds.includes(name)
      const boundOf = ({ [name]: bound }: JsonSchema): number =>
        typeof bound === 'number' ? bound : isLower ? -Infinity : Infinity
      const [from, to] = [boundOf(base), boundOf(head)]
      const isNarrower = isLower ? to > from : to < from
      const message = `${name} of ${where} changes from ${shown(base[name])} to ${shown(head[name])}`
      return direction === 'input' && isNarrower ? breaking(message) : additive(message)
    })
}

const membersByName = (schema: JsonSchema): Map<string, ReturnType<typeof membersOf>[number]> =>
  new Map(membersOf(schema).map(member => [member.name, member]))

function compareMembers(where: string, base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] {
  const [before, after] = [membersByName(base), membersByName(head)]
  const place = (name: string): string => (where === '' ? name : `${where}.${name}`)
  return [
    ...missingFrom([...after.keys()], [...before.keys()]).map(name => breaking(`\`${place(name)}\` is gone`)),
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

/** Keywords whose change is breaking in both directions (`decisive`), and only in input (`limiting`). */
const decisive = ['const', 'anyOf', 'oneOf', 'allOf', 'not']
const limiting = ['pattern', 'format', 'default', 'uniqueItems', 'additionalProperties']
const differing = (keywords: readonly string[], base: JsonSchema, head: JsonSchema): string[] =>
  keywords.filter(name => textOf(base[name]) !== textOf(head[name]))

function compare(where: string, base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] {
  if (textOf(base) === textOf(head)) return []
  const what = where === '' ? 'the value' : `\`${where}\``
  const found = [
    ...compareAllowed('type', what, base, head, direction),
    ...compareAllowed('enum', what, base, head, direction),
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

/** Returns the differences; none if the schemas are equal apart from identifiers, definitions and conditions. */
export const compareSchemas = (base: JsonSchema, head: JsonSchema, direction: Direction): Difference[] =>
  compare('', plainSchema(base), plainSchema(head), direction)
