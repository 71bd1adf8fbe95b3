import { admitsEveryone } from '../../core/access/index.ts'
import { canonicalize } from '../../core/canonical/canonical-json.ts'
import type { JsonSchema, JsonValue } from '../../core/canonical/json.ts'
import { isObject } from '../../core/canonical/json.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { additive, breaking, documentation, missingFrom, type Difference } from './change.ts'
import { compareSchemas } from './schemas.ts'

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
