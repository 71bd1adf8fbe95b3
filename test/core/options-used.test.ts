import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { firstServiceFiles } from '../../bin/scaffold/first-service.ts'
import { isObject, type JsonObject, type JsonValue } from '../../core/canonical/json.ts'
import { CorpusDeclaration } from '../../core/corpus/declaration.ts'
import { formats } from '../../core/format/index.ts'
import { operators } from '../../core/kinds/collection/operators/list.ts'
import { kinds } from '../../core/kinds/index.ts'
import { normaliseSteps } from '../../core/manifest/surface.ts'
import { readYaml } from '../../core/source/read-yaml.ts'

/**
 * Everything that ships: the service, the surfaces of every service, what other tests serve, and what `pantry init`
 * writes.
 */
const roots = [
  '.',
  'core/standard',
  ...['archive', 'gazetteer', 'library', 'trees'].map(name => `test/fixture/${name}`)
]
const atLeast = 3

/** Few services need these, and those cannot do without them. */
const exempt: Readonly<Record<string, string>> = {
  page: 'paging',
  table: 'rows of tables',
  search: 'rows of tables',
  sort: 'rows of tables',
  location: 'redirects',
  aliases: 'redirects',
  deadline: 'slow handlers',
  deprecation: 'deprecation',
  scope: 'surfaces for keys',
  'examples[].as': 'surfaces for keys',
  languages: 'languages of content',
  forms: 'forms of pages',
  'menu.asks': 'the search of a service',
  instructions: 'one endpoint of tools',
  tools: 'one endpoint of tools',
  resources: 'one endpoint of tools',
  prompts: 'one endpoint of tools',
  sitemap: 'lists for search engines'
}

const filesOf = (folder: string): (readonly [string, JsonValue])[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(file => file.isFile() && file.name.endsWith('.yaml'))
        .map(file => [
          join(file.parentPath, file.name),
          readYaml(file.name, readFileSync(join(file.parentPath, file.name))).value ?? null
        ])

const written = [
  ...roots.flatMap(root => [
    ...filesOf(join(packageFolder, root, 'manifests')),
    ...filesOf(join(packageFolder, root, 'corpora'))
  ]),
  ...Object.entries(firstServiceFiles('trees', '2026-11-22', 'javascript'))
    .filter(([path]) => path.endsWith('.yaml'))
    .map(([path, text]): [string, JsonValue] => [`/${path}`, readYaml(path, Buffer.from(text)).value ?? null])
].filter((file): file is readonly [string, JsonObject] => isObject(file[1]))

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)
const isOurs = (format: string): boolean => formats.includes(format)
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : [])

const branchesOf = (schema: JsonObject): readonly JsonObject[] => [
  schema,
  ...listOf(schema['anyOf']).flatMap(one => (isObject(one) ? branchesOf(one) : []))
]
const membersOf = (schema: JsonObject, member: 'properties' | 'patternProperties'): (readonly [string, JsonObject])[] =>
  Object.entries(isObject(schema[member]) ? schema[member] : {}).filter((pair): pair is [string, JsonObject] =>
    isObject(pair[1])
  )

/** Every key that a schema names, as a path: `limit.default`, `filters[].name`, `echo.*.pattern`. */
const namedBy = (given: JsonObject, at = ''): string[] =>
  branchesOf(given).flatMap(schema => [
    ...membersOf(schema, 'properties').flatMap(([key, one]) => [`${at}${key}`, ...namedBy(one, `${at}${key}.`)]),
    ...membersOf(schema, 'patternProperties').flatMap(([, one]) => namedBy(one, `${at}*.`)),
    ...(isObject(schema['items']) ? namedBy(schema['items'], at.replace(/\.$/, '[].')) : [])
  ])

/** The keys among them that a value has. */
const usedBy = (given: JsonObject, value: JsonValue, at = ''): string[] =>
  branchesOf(given).flatMap(schema => {
    if (isList(value))
      return value.flatMap(one =>
        isObject(schema['items']) ? usedBy(schema['items'], one, at.replace(/\.$/, '[].')) : []
      )
    if (!isObject(value)) return []
    return [
      ...membersOf(schema, 'properties').flatMap(([key, one]) =>
        value[key] === undefined ? [] : [`${at}${key}`, ...usedBy(one, value[key], `${at}${key}.`)]
      ),
      ...membersOf(schema, 'patternProperties').flatMap(([, one]) =>
        Object.values(value).flatMap(member => usedBy(one, member ?? null, `${at}*.`))
      )
    ]
  })

const isService = (path: string): boolean => path.endsWith('/manifests/service.yaml')
const isCorpus = (path: string): boolean => path.endsWith('/corpus.yaml')
const manifests = written.filter(([path]) => path.includes('/manifests/') && !isService(path)).map(([, value]) => value)

/** How many files use each of these keys or words; each file counts once. */
function countUses(names: readonly string[], files: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const uses = new Map(names.map(name => [name, 0]))
  for (const used of files) for (const name of new Set(used)) uses.set(name, (uses.get(name) ?? 0) + 1)
  return uses
}

const isExempt = (name: string): boolean => name in exempt || (name.split(/[.[]/)[0] ?? '') in exempt
const tooFew = (uses: ReadonlyMap<string, number>): string[] =>
  [...uses].filter(([name, count]) => count < atLeast && !isExempt(name)).map(([name, count]) => `${name}: ${count}`)

const plainSchema = (schema: object): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject

t.test('every key of a manifest has three users', t => {
  const used = manifests.map(value =>
    usedBy(kinds.find(({ name }) => name === value['kind'])?.schema as JsonObject, value)
  )
  t.ok(manifests.length > 180)
  // A key that several kinds have, such as `echo`, is one option.
  t.same(
    tooFew(
      countUses(
        kinds.flatMap(({ schema }) => namedBy(schema as JsonObject)),
        used
      )
    ),
    []
  )
  t.end()
})

t.test('every key of corpus.yaml has three users', t => {
  const corpora = written
    .filter(([path]) => isCorpus(path))
    .map(([, value]) => usedBy(plainSchema(CorpusDeclaration), value))
  t.same(tooFew(countUses(namedBy(plainSchema(CorpusDeclaration)), corpora)), [])
  t.end()
})

t.test('every operator, format and step of normalising has three users', t => {
  const operatorsOf = ({ filters }: JsonObject): string[] =>
    listOf(filters).map(filter =>
      isObject(filter) && typeof filter['operation'] === 'string' ? filter['operation'] : 'equals'
    )
  t.same(
    tooFew(
      countUses(
        operators.map(({ name }) => name),
        manifests.map(operatorsOf)
      )
    ),
    []
  )
  t.same(
    tooFew(
      countUses(
        formats,
        manifests.map(({ formats = ['json'] }) => listOf(formats).map(String).filter(isOurs))
      )
    ),
    []
  )
  const stepsOf = ({ normalise, echo }: JsonObject): string[] =>
    [
      ...Object.values(isObject(normalise) ? normalise : {}),
      ...Object.values(isObject(echo) ? echo : {}).map(one => (isObject(one) ? one['normalise'] : undefined))
    ].flatMap(steps => listOf(steps).map(String))
  t.same(tooFew(countUses(normaliseSteps, manifests.map(stepsOf))), [])
  t.end()
})
