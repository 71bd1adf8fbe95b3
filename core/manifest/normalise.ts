import type { AccessModule } from '../access/access.ts'
import { accessTable, keyHeader } from '../access/index.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Format } from '../format/index.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { formType, jsonType, type Method } from '../vocabulary/words.ts'
import { ensureDefined, type Context, type ManifestFile } from './kind.ts'
import type { Manifest } from './manifest.ts'
import { parseSegments, placeholdersOf, type Route } from './paths.ts'
import type { AnswerFacts, Example, Input, Surface } from './surface.ts'

export const methodsOf = (manifest: Manifest): Method[] => [manifest.method ?? 'GET'].flat()

const titleOf = (id: string): string => {
  const words = id.replace(/\.(post|put|patch|delete)$/, '').replaceAll(/[/_-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

const omitUndefined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>

export function toSurface(file: ManifestFile, context: Context): Surface {
  const { id, root, source, kind, manifest, formOf } = file
  const {
    path,
    freshness,
    deprecation,
    agent,
    scope,
    methodology,
    strict,
    deadline,
    cache,
    formats = ['json']
  } = manifest
  const route = {
    path,
    segments: parseSegments(path),
    placeholders: placeholdersOf(path),
    methods: methodsOf(manifest),
    aliases: (manifest.aliases ?? []).map(alias => ({ path: alias, segments: parseSegments(alias) }))
  }
  const answer = kind.answer(file, context)
  const facts = { status: 200, containsSelf: false, promises: {}, ...kind.facts?.(answer) }
  const code = kind.code?.(file, context)
  const translations = context.corpora.get(facts.shows?.corpus ?? '')?.translations
  const languages =
    translations !== undefined ? [...translations.keys()] : isSpoken(facts) ? spokenIn(context.service) : undefined
  const own = kind.input?.({ manifest, answer, placeholders: route.placeholders }, context)
  const input = inputOf(route.placeholders, formats, languages, { ...own, ...code })
  return Object.freeze({
    id,
    ...omitUndefined({ formOf, deprecation, agent, scope, methodology, languages, strict, deadline }),
    ...omitUndefined({ readsRawQuery: code?.rawQuery, refuses: code?.refuses }),
    ...omitUndefined({ texts: code?.texts, idempotency: code?.idempotency, precondition: code?.precondition }),
    kind: kind.name,
    reaches: kind.reaches,
    route,
    title: manifest.title ?? titleOf(id),
    summary: manifest.summary,
    description: manifest.description ?? '',
    tags: manifest.tags,
    access: [manifest.access].flat(),
    carriesPii: manifest.carries_pii,
    requiresConsent: manifest.requires_consent,
    freshness: {
      key: freshness,
      seconds: ensureDefined(context.service.freshness[freshness], `freshness key ${freshness}`).seconds
    },
    license: manifest.license,
    sources: manifest.sources,
    provenance: manifest.provenance,
    stability: manifest.stability ?? (deprecation === undefined ? 'stable' : 'deprecated'),
    since: manifest.since,
    doesNotInclude: manifest.does_not_include ?? [],
    contract: manifest.contract,
    formats,
    ...(cache === undefined
      ? {}
      : { cache: cache === 'no-store' ? cache : { maxAge: cache.max_age, sMaxAge: cache.s_maxage } }),
    input,
    output: ensureDefined(kind.output?.({ answer, input, formats }, context) ?? code?.reply, `output of ${id}`),
    examples: examplesOf(manifest, route, input, facts.status, accessTable(context.service.access)),
    ...facts,
    answer,
    origin: { root, file: source.file }
  })
}

/** Documents that pages show, and the one that failures lead to: they have the languages of pages. */
const shownDocuments: readonly unknown[] = ['explorer', 'explained', 'diagnostic']

const isSpoken = ({ page, serves }: Partial<AnswerFacts>): boolean =>
  page !== undefined || shownDocuments.includes(serves)

/** Returns the languages of a service that has several. */
const spokenIn = ({ languages }: Context['service']): readonly string[] | undefined =>
  languages.length > 1 ? languages : undefined

/** Returns an object schema for parameters, by name. */
export const parametersSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = []
): JsonSchema => ({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) })

/** The schema of a placeholder without one of its own. */
export const segment: JsonSchema = { type: 'string', minLength: 1, maxLength: 160 }

/** Returns the schema of the placeholders: the given schemas, and texts of 1 to 160 characters for the others. */
export const placeholdersSchema = (
  placeholders: readonly string[],
  described: Readonly<Record<string, JsonSchema>> = {}
): JsonSchema =>
  parametersSchema({ ...Object.fromEntries(placeholders.map(name => [name, segment])), ...described }, placeholders)

/**
 * Returns the input of a surface. A surface with several formats gets the query parameter `format`; one that shows a
 * corpus with declared languages gets `lang`. Undeclared parameters are not read, or refused by a `strict` surface.
 */
function inputOf(
  placeholders: readonly string[],
  formats: readonly Format[],
  languages: readonly string[] | undefined,
  { params = placeholdersSchema(placeholders), query = parametersSchema({}), body, bytes, files }: Partial<Input>
): Input {
  const added: Record<string, JsonSchema> = {}
  if (languages !== undefined)
    added['lang'] = {
      type: 'string',
      enum: languages,
      description: `Language of the answer; goes before \`Accept-Language\`. Without both: ${languages[0] ?? ''}.`
    }
  if (formats.length > 1)
    added['format'] = {
      type: 'string',
      enum: formats,
      default: formats[0],
      description: 'Representation of the answer.'
    }
  return {
    params,
    query:
      Object.keys(added).length === 0
        ? query
        : parametersSchema({ ...propertiesOf(query), ...added }, requiredOf(query)),
    ...omitUndefined({ body, bytes, files })
  }
}

type Texts = Readonly<Record<string, string>>

const texts = (values: Readonly<Record<string, unknown>> = {}): Texts =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

function urlOf(path: string, params: Texts, query: Texts): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(params, name) ? encodeURIComponent(params[name] ?? '') : placeholder
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/**
 * Whether a surface can be called without knowing any value: it has no placeholder, no body (other than `bytes`) and no
 * required query parameter.
 */
export const isCallableWithoutInput = (route: Route, input: Input): boolean =>
  route.placeholders.length === 0 && input.body === undefined && requiredOf(input.query).length === 0

const contentOf = (body: JsonValue, { body: declared }: Input): NonNullable<Example['content']> =>
  declared?.isForm === true
    ? { type: formType, text: new URLSearchParams(texts(body as JsonObject)).toString() }
    : { type: jsonType, text: JSON.stringify(body) }

/**
 * Returns the declared examples with defaults and URLs. Without declared examples, returns one of the plain path if the
 * surface `isCallableWithoutInput`, else none.
 */
function examplesOf(
  manifest: Manifest,
  route: Route,
  input: Input,
  status: number,
  kinds: Readonly<Record<string, AccessModule>>
): Example[] {
  const [first = 'GET'] = route.methods
  const declared = manifest.examples ?? (isCallableWithoutInput(route, input) ? [{ title: manifest.summary }] : [])
  return declared.map(({ title, method = first, headers = {}, as: kind = '', expect, ...example }) => {
    const header = keyHeader(kinds[kind.split('/')[0] ?? kind] ?? { meaning: '' }, '<key>')
    const [params, query] = [texts(example.params), texts(example.query)]
    const body = example.body as JsonValue | undefined
    return {
      title,
      method,
      params,
      query,
      headers,
      ...(header === undefined ? {} : { as: { kind, header } }),
      ...(body === undefined ? {} : { body, content: contentOf(body, input) }),
      url: urlOf(manifest.path, params, query),
      expect: { status: expect?.status ?? status, shows: (expect?.shows ?? {}) as Record<string, JsonValue> }
    }
  })
}
