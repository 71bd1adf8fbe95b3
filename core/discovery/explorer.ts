import { accessMeaning, accessShown, accessTable, admitsEveryone } from '../access/index.ts'
import { isObject, type JsonSchema } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { invalid, notFound } from '../handler/errors.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { methods } from '../vocabulary/words.ts'
import { callsOf, isGiven, placeNames, queryOf, requestOf } from './calls.ts'
import { AccessName, Closed, Count, defineDocument, FormatName, Nullable, Path, Text } from './define.ts'
import { workingExamples } from './parameters.ts'
import { plainSchema } from './plain-schema.ts'
import { isPaused, pathTo } from './pointers.ts'
import { toolsOf } from './tool-catalogue.ts'

const ExplorerDocument = Closed({
  '@kind': Type.Literal('explorer'),
  count: Count,
  areas: Type.Array(
    Closed({
      area: Text,
      meaning: Type.String(),
      surfaces: Type.Array(
        Closed({
          name: Type.String({ description: 'The name that the explorer and the tool catalogue have for it.' }),
          path: Path,
          methods: Type.Array(Type.Enum(methods)),
          summary: Text,
          parameters: Type.Array(Text),
          only_for: Nullable(Text, 'Who may call it, where not everyone may.'),
          paused: Type.Boolean()
        })
      )
    })
  )
})

/** Lists every surface meant for programs, grouped by its first tag. */
export const explorer = defineDocument(ExplorerDocument)({
  build: registry => {
    const tools = toolsOf(registry)
    const table = accessTable(registry.service.access)
    const areas = [...new Set(tools.map(({ surface }) => surface.tags[0] ?? 'other'))].sort()
    return {
      '@kind': 'explorer',
      count: tools.length,
      areas: areas.map(area => ({
        area,
        meaning: registry.service.tags[area]?.meaning ?? '',
        surfaces: tools
          .filter(({ surface }) => (surface.tags[0] ?? 'other') === area)
          .map(({ name, surface, parameters }) => ({
            name,
            path: surface.route.path,
            methods: surface.route.methods,
            summary: surface.summary,
            parameters: parameters.map(one => one.name),
            only_for: admitsEveryone(surface.access) ? null : accessMeaning(surface.access, table),
            paused: isPaused(surface)
          }))
      }))
    }
  }
})

/** One member of a schema. `at` is its path, with `[]` for list items and `*` for any name. */
type SchemaRow = Readonly<{ at: string; type: string; required: boolean; description: string }>

/** Maximum number of rows. Further rows are left out; the OpenAPI document has the complete schema. */
const mostRows = 150
const deepest = 6

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const branchesOf = (schema: JsonSchema): JsonSchema[] => {
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap(name => listOf(schema[name])).filter(isObject)
  return branches.length === 0 ? [schema] : branches.flatMap(branchesOf)
}

function typeOf(schema: JsonSchema): string {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum']))
    return (
      listOf(schema['enum'])
        .slice(0, 8)
        .map(one => JSON.stringify(one))
        .join(', ') + (schema['enum'].length > 8 ? ', …' : '')
    )
  const types = [
    ...new Set(
      branchesOf(schema).flatMap(({ type, format }) =>
        [type]
          .flat()
          .filter(one => typeof one === 'string')
          .map(one => (typeof format === 'string' ? `${one} (${format})` : one))
      )
    )
  ]
  return types.join(' or ') || 'anything'
}

function membersAt(schema: JsonSchema, at: string, depth: number): SchemaRow[] {
  if (depth > deepest) return []
  return branchesOf(schema).flatMap(branch => {
    const { properties, items, additionalProperties } = branch
    const required = new Set(listOf(branch['required']))
    const named = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
      isObject(member) ? rowsAt(member, at === '' ? name : `${at}.${name}`, required.has(name), depth) : []
    )
    const each = isObject(items) ? membersAt(items, `${at}[]`, depth + 1) : []
    const any = isObject(additionalProperties) ? membersAt(additionalProperties, `${at}.*`, depth + 1) : []
    return [...named, ...each, ...any]
  })
}

const rowsAt = (schema: JsonSchema, at: string, required: boolean, depth: number): SchemaRow[] => [
  {
    at,
    type: typeOf(schema),
    required,
    description: typeof schema['description'] === 'string' ? schema['description'] : ''
  },
  ...membersAt(schema, at, depth + 1)
]

/** Returns the members of a schema as table rows, each path once, in the order of the schema. */
const schemaRows = (schema: JsonSchema): readonly SchemaRow[] =>
  [...new Map(membersAt(plainSchema(schema), '', 0).map(row => [row.at, row])).values()].slice(0, mostRows)

const Rows = Type.Array(Closed({ at: Text, type: Text, required: Type.Boolean(), description: Type.String() }))
const Calls = Closed({ curl: Text, javascript: Text, python: Text })

const ExplainedDocument = Closed({
  '@kind': Type.Literal('surface_explained'),
  name: Text,
  surface: Text,
  area: Text,
  summary: Text,
  description: Text,
  path: Path,
  methods: Type.Array(Type.Enum(methods)),
  access: AccessName,
  access_meaning: Text,
  carries_pii: Type.Boolean(),
  requires_consent: Type.Boolean(),
  stability: Text,
  since: Text,
  formats: Type.Array(FormatName),
  rights: Closed({
    license: Text,
    license_meaning: Type.String(),
    provenance: Text,
    sources: Type.Array(Closed({ source: Text, license: Text, meaning: Text })),
    does_not_include: Type.Array(Text)
  }),
  freshness: Closed({ key: Text, seconds: Type.Integer(), meaning: Type.String() }),
  parameters: Type.Array(
    Closed({
      name: Text,
      in: Type.Enum(['path', 'query', 'body', 'method']),
      required: Type.Boolean(),
      description: Text,
      schema: Type.Unknown({ description: 'JSON Schema of the value.' })
    })
  ),
  request: Closed({
    runs: Type.Boolean({ description: 'Whether the explorer runs it: GET, open to all, with at most 20 parameters.' }),
    values: Type.Array(Type.String(), { description: 'What was given, by the places of the parameters.' }),
    url: Nullable(Path),
    missing: Type.Array(Text),
    sends: Nullable(
      Path,
      'Where the explorer sends a body with POST: to a surface that is open to all and only computes from what is sent.'
    ),
    body: Type.String({ description: 'The body of an example, to begin with.' })
  }),
  calls: Nullable(Calls),
  answer: Rows,
  examples: Type.Array(
    Closed({
      title: Text,
      method: Type.Enum(methods),
      url: Path,
      status: Type.Integer(),
      query: Nullable(Type.String({ description: 'The query that runs it in the explorer.' })),
      calls: Calls
    })
  ),
  manifest: Closed({ file: Text, text: Type.String() }),
  see_also: Closed({ page: Nullable(Path), openapi: Nullable(Path), tools: Nullable(Path) })
})

/** Returns the path of a page that shows this surface first and whose path has no placeholders, else null. */
const pageOf = ({ surfaces }: Registry, surface: Surface): string | null =>
  surfaces.find(
    ({ page, route }) =>
      page?.shows[0] !== undefined && surfaceAt(surfaces, page.shows[0]) === surface && route.placeholders.length === 0
  )?.route.path ?? null

/** Describes one surface for a person who wants to try it, and builds the request for the given parameter values. */
export const explained = defineDocument(ExplainedDocument)({
  input: {
    params: Closed({
      name: Type.String({ minLength: 1, maxLength: 160, description: 'Name of a surface in the tool catalogue.' })
    }),
    query: Closed({
      run: Type.Optional(Type.Enum(['yes'], { description: 'Makes the request for the values that are given.' })),
      ...Object.fromEntries(
        placeNames.map((name, at) => [
          name,
          Type.Optional(Type.String({ maxLength: 2000, description: `Value of the parameter at place ${at}.` }))
        ])
      )
    })
  },
  build: (registry, request) => {
    const asked = String(request.params['name'] ?? '')
    const tools = toolsOf(registry)
    const tool = tools.find(({ name }) => name === asked)
    if (tool === undefined) throw notFound('surface', asked, { list: pathTo(registry, 'explorer') })
    const { surface, parameters, name } = tool
    const { service } = registry
    const given = requestOf(surface, parameters, request)
    const extra = placeNames.find((place, at) => at >= parameters.length && isGiven(String(request.query[place] ?? '')))
    if (extra !== undefined)
      throw invalid(
        extra,
        `This surface has ${parameters.length} parameters, so there is no place \`${extra}\`.`,
        placeNames.slice(0, parameters.length)
      )
    const shown = workingExamples(surface)
    const called =
      given.url === null
        ? shown[0]
        : {
            title: '',
            method: 'GET' as const,
            params: {},
            query: {},
            headers: {},
            url: given.url,
            expect: { status: 200, shows: {} }
          }
    return {
      '@kind': 'surface_explained',
      name,
      surface: surface.id,
      area: surface.tags[0] ?? 'other',
      summary: surface.summary,
      description: surface.description,
      path: surface.route.path,
      methods: surface.route.methods,
      access: accessShown(surface.access),
      access_meaning: accessMeaning(surface.access, accessTable(service.access)),
      carries_pii: surface.carriesPii,
      requires_consent: surface.requiresConsent,
      stability: surface.stability,
      since: surface.since,
      formats: surface.formats,
      rights: {
        license: surface.license,
        license_meaning: service.tiers[surface.license]?.meaning ?? '',
        provenance: surface.provenance,
        sources: surface.sources.map(source => ({
          source,
          license: service.sources[source]?.license ?? surface.license,
          meaning: service.sources[source]?.meaning ?? source
        })),
        does_not_include: surface.doesNotInclude
      },
      freshness: { ...surface.freshness, meaning: service.freshness[surface.freshness.key]?.meaning ?? '' },
      parameters: parameters.map(({ name: one, in: place, required, description, schema }) => ({
        name: one,
        in: place,
        required,
        description,
        schema
      })),
      request: given,
      calls: called === undefined ? null : callsOf(service.base_url, called),
      answer: schemaRows(surface.output),
      examples: surface.examples.map(example => ({
        title: example.title,
        method: example.method,
        url: example.url,
        status: example.expect.status,
        query: given.runs ? queryOf(parameters, example) : null,
        calls: callsOf(service.base_url, example)
      })),
      manifest: {
        file: surface.origin.file,
        text: Buffer.from(registry.manifests.get(surface.origin.file) ?? '').toString()
      },
      see_also: {
        page: pageOf(registry, surface),
        openapi: pathTo(registry, 'openapi'),
        tools: pathTo(registry, 'tools')
      }
    }
  }
})
