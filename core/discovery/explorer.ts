import { accessMeaning, accessOf, accessShown, admitsEveryone } from '../access/index.ts'
import type { Static } from 'typebox'
import { isObject, type JsonSchema } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { originOf } from '../canonical/url.ts'
import { memoize } from '../canonical/work.ts'
import { invalid, notFound } from '../handler/errors.ts'
import { surfaceAt, type Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { methods } from '../vocabulary/words.ts'
import { callsOf, positionNames, queryOf, requestOf } from './calls.ts'
import {
  AccessName,
  Closed,
  Count,
  defineDocument,
  FormatNames,
  ListOf,
  Methods,
  NameParameter,
  Nullable,
  Path,
  Text,
  Texts
} from './define.ts'
import { tagMeaning } from './describe.ts'
import { Parameter, workingExamples } from './parameters.ts'
import { plainSchema } from './plain-schema.ts'
import { groupOf, isPaused, documentPathOf, pick } from './pointers.ts'
import { toolsOf } from './tool-catalogue.ts'

const ExplorerDocument = Closed({
  '@kind': Type.Literal('explorer'),
  count: Count,
  areas: ListOf({
    area: Text,
    meaning: Type.String(),
    surfaces: ListOf({
      name: Type.String({ description: 'The name that the explorer and the tool catalogue have for it.' }),
      path: Path,
      methods: Methods,
      summary: Text,
      parameters: Texts,
      only_for: Nullable(Text, 'Who may call it, where not everyone may.'),
      paused: Type.Boolean()
    })
  })
})

/** The areas of the surfaces that the service puts first, in its order. */
const areasPutFirst = ({ service, byId }: Registry): readonly string[] =>
  service.index.flatMap(({ surfaces }) => surfaces.flatMap(id => byId.get(id) ?? []).map(groupOf))

export const explorer = defineDocument(ExplorerDocument)({
  build: registry => {
    const tools = toolsOf(registry)
    const held = new Set(tools.map(({ surface }) => groupOf(surface)))
    const areas = new Set([...areasPutFirst(registry).filter(area => held.has(area)), ...[...held].sort()])
    return {
      '@kind': 'explorer',
      count: tools.length,
      areas: Array.from(areas, area => ({
        area,
        meaning: tagMeaning(registry, area),
        surfaces: tools
          .filter(({ surface }) => groupOf(surface) === area)
          .map(({ name, surface, parameters }) => ({
            name,
            path: surface.route.path,
            methods: surface.route.methods,
            summary: surface.summary,
            parameters: parameters.map(parameter => parameter.name),
            only_for: admitsEveryone(surface.access)
              ? null
              : accessMeaning(surface.access, accessOf(registry.service, surface), registry.language),
            paused: isPaused(surface)
          }))
      }))
    }
  }
})

/** One member of a schema. `at` is its path, such as `a.b[].c`: `[]` is each item of a list, `*` is any name. */
const Row = Closed({ at: Text, type: Text, required: Type.Boolean(), description: Type.String() })
type Row = Static<typeof Row>

/** Limits of the rows that are shown; the OpenAPI document has the complete schema. */
const maxRows = 150
const maxDepth = 6

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const branchesOf = (schema: JsonSchema): JsonSchema[] => {
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap(name => listOf(schema[name])).filter(isObject)
  return branches.length === 0 ? [schema] : branches.flatMap(branchesOf)
}

function typeOf(schema: JsonSchema): string {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) {
    const values = schema['enum'].map(value => JSON.stringify(value))
    return values.length > 8 ? `${values.slice(0, 8).join(', ')}, …` : values.join(', ')
  }
  const types = branchesOf(schema).flatMap(({ type, format }) =>
    [type]
      .flat()
      .filter(name => typeof name === 'string')
      .map(name => (typeof format === 'string' ? `${name} (${format})` : name))
  )
  return [...new Set(types)].join(' or ') || 'anything'
}

function membersAt(schema: JsonSchema, at: string, depth: number): Row[] {
  if (depth > maxDepth) return []
  return branchesOf(schema).flatMap(({ properties, required, items, additionalProperties }) => {
    const named = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
      isObject(member) ? rowsAt(member, at === '' ? name : `${at}.${name}`, listOf(required).includes(name), depth) : []
    )
    const each = isObject(items) ? membersAt(items, `${at}[]`, depth + 1) : []
    const any = isObject(additionalProperties) ? membersAt(additionalProperties, `${at}.*`, depth + 1) : []
    return [...named, ...each, ...any]
  })
}

const rowsAt = (schema: JsonSchema, at: string, required: boolean, depth: number): Row[] => [
  {
    at,
    type: typeOf(schema),
    required,
    description: typeof schema['description'] === 'string' ? schema['description'] : ''
  },
  ...membersAt(schema, at, depth + 1)
]

/** Returns the members of a schema as rows, each path once, in the order of the schema, at most `maxRows`. */
const schemaRows = (schema: JsonSchema): readonly Row[] =>
  [...new Map(membersAt(plainSchema(schema), '', 0).map(row => [row.at, row])).values()].slice(0, maxRows)

/** Returns a function that says a description in the language of the registry, which it looks for once. */
const describedIn = memoize(({ language }: Registry) => {
  const known = new Map<string, string>()
  return (text: string): string => {
    const said = known.get(text) ?? language.messageOf(text)
    known.set(text, said)
    return said
  }
})

const shownMembers = ['name', 'in', 'required', 'description', 'schema'] as const
const Calls = Closed({ curl: Text, javascript: Text, python: Text })

const ExplainedDocument = Closed({
  '@kind': Type.Literal('surface_explained'),
  name: Text,
  surface: Text,
  area: Text,
  summary: Text,
  description: Text,
  path: Path,
  methods: Methods,
  access: AccessName,
  access_meaning: Text,
  carries_pii: Type.Boolean(),
  requires_consent: Type.Boolean(),
  stability: Text,
  since: Text,
  formats: FormatNames,
  rights: Closed({
    license: Text,
    license_meaning: Type.String(),
    provenance: Text,
    sources: ListOf({ source: Text, license: Text, meaning: Text }),
    does_not_include: Texts
  }),
  freshness: Closed({ key: Text, seconds: Type.Integer(), meaning: Type.String() }),
  parameters: ListOf(pick(Parameter.properties, ...shownMembers)),
  request: Closed({
    runs: Type.Boolean({ description: 'Whether the explorer runs it: GET, open to all, with at most 20 parameters.' }),
    values: Type.Array(Type.String(), { description: 'What was given, by the places of the parameters.' }),
    url: Nullable(Path),
    missing: Texts,
    sends: Nullable(
      Path,
      'Where the explorer sends a body with POST: to a surface that is open to all and only computes from what is sent.'
    ),
    body: Type.String({ description: 'The body of an example, to begin with.' })
  }),
  calls: Nullable(Calls),
  answer: Type.Array(Row),
  examples: ListOf({
    title: Text,
    method: Type.Enum(methods),
    url: Path,
    status: Type.Integer(),
    query: Nullable(Type.String({ description: 'The query that runs it in the explorer.' })),
    calls: Calls
  }),
  manifest: Closed({ file: Text, text: Type.String() }),
  see_also: Closed({ page: Nullable(Path), openapi: Nullable(Path), tools: Nullable(Path) })
})

/** Returns the path of the first page that shows this surface first and whose path has no placeholders, or null. */
const pageOf = ({ surfaces }: Registry, surface: Surface): string | null =>
  surfaces.find(
    ({ page, route }) =>
      page?.shows[0] !== undefined && surfaceAt(surfaces, page.shows[0]) === surface && route.placeholders.length === 0
  )?.route.path ?? null

/** Describes one surface for a person who wants to try it, with the request for the parameter values in the query. */
export const explained = defineDocument(ExplainedDocument)({
  input: {
    params: Closed({ name: NameParameter('Name of a surface in the tool catalogue.') }),
    query: Closed({
      run: Type.Optional(Type.Enum(['yes'], { description: 'Makes the request for the values that are given.' })),
      ...Object.fromEntries(
        positionNames.map((name, at) => [
          name,
          Type.Optional(Type.String({ maxLength: 2000, description: `Value of the parameter at place ${at}.` }))
        ])
      )
    })
  },
  build: (registry, request) => {
    const name = String(request.params['name'])
    const tool = toolsOf(registry).find(candidate => candidate.name === name)
    if (tool === undefined) throw notFound('surface', name, { list: documentPathOf(registry, 'explorer') })
    const { surface, parameters } = tool
    const { service } = registry
    const describe = describedIn(registry)
    const inWords = <One extends { description: string }>(one: One): One => ({
      ...one,
      description: describe(one.description)
    })
    const built = requestOf(surface, parameters, request)
    const count = parameters.length
    const extra = positionNames.slice(count).find(position => (request.query[position] ?? '') !== '')
    if (extra !== undefined) {
      const message = `This surface has ${count} parameters, so there is no place \`${extra}\`.`
      throw invalid(extra, message, positionNames.slice(0, count))
    }
    const called =
      built.url === null ? workingExamples(surface)[0] : { method: 'GET' as const, headers: {}, url: built.url }
    return {
      '@kind': 'surface_explained',
      name,
      surface: surface.id,
      area: groupOf(surface),
      ...pick(surface, 'summary', 'description'),
      ...pick(surface.route, 'path', 'methods'),
      access: accessShown(surface.access),
      access_meaning: accessMeaning(surface.access, accessOf(service, surface), registry.language),
      carries_pii: surface.carriesPii,
      requires_consent: surface.requiresConsent,
      ...pick(surface, 'stability', 'since', 'formats'),
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
      parameters: parameters.map(parameter => inWords(pick(parameter, ...shownMembers))),
      request: built,
      calls: called === undefined ? null : callsOf(originOf(service.base_url), called),
      answer: schemaRows(surface.output).map(inWords),
      examples: surface.examples.map(example => ({
        ...pick(example, 'title', 'method', 'url'),
        status: example.expect.status,
        query: built.runs ? queryOf(parameters, example) : null,
        calls: callsOf(originOf(service.base_url), example)
      })),
      manifest: {
        file: surface.origin.file,
        text: Buffer.from(registry.manifests.get(surface.origin.file) ?? '').toString()
      },
      see_also: {
        page: pageOf(registry, surface),
        openapi: documentPathOf(registry, 'openapi'),
        tools: documentPathOf(registry, 'tools')
      }
    }
  }
})
