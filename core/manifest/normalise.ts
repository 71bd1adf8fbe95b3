import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Format } from '../format/index.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { formType, type Method } from '../vocabulary/words.ts'
import { known, type Code, type Context, type ManifestFile } from './kind.ts'
import type { Manifest } from './manifest.ts'
import { parseSegments, placeholdersOf, type Route } from './paths.ts'
import type { Example, Input, Surface } from './surface.ts'

export const methodsOf = (manifest: Manifest): Method[] => [manifest.method ?? 'GET'].flat()

const titleOf = (id: string): string => {
  const words = id
    .replace(/\.(post|put|patch|delete)$/, '')
    .split('/')
    .join(' ')
    .replace(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Converts a checked manifest into the surface that the rest of the framework uses: frozen, with all defaults and
 * references filled in.
 */
export function toSurface(file: ManifestFile, context: Context): Surface {
  const { id, root, source, kind, manifest, formOf } = file
  const placeholders = placeholdersOf(manifest.path)
  const route = {
    path: manifest.path,
    segments: parseSegments(manifest.path),
    placeholders,
    methods: methodsOf(manifest),
    aliases: (manifest.aliases ?? []).map(path => ({ path, segments: parseSegments(path) }))
  }
  const formats = manifest.formats ?? ['json']
  const answer = kind.answer(file, context)
  const facts = { status: 200, containsSelf: false, promises: {}, ...kind.facts?.(answer) }
  const code = kind.code?.(file, context)
  const translations = context.corpora.get(facts.shows?.corpus ?? '')?.translations
  const languages = translations === undefined ? undefined : [...translations.keys()]
  const input = inputOf({
    placeholders,
    formats,
    languages,
    code,
    own: kind.input?.({ manifest, answer, placeholders }, context) ?? {}
  })
  return Object.freeze({
    id,
    ...(formOf === undefined ? {} : { formOf }),
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
      key: manifest.freshness,
      seconds: known(context.service.freshness[manifest.freshness], `freshness key ${manifest.freshness}`).seconds
    },
    license: manifest.license,
    sources: manifest.sources,
    provenance: manifest.provenance,
    stability: manifest.stability ?? (manifest.deprecation === undefined ? 'stable' : 'deprecated'),
    ...(manifest.deprecation === undefined ? {} : { deprecation: manifest.deprecation }),
    ...(manifest.agent === undefined ? {} : { agent: manifest.agent }),
    since: manifest.since,
    ...(manifest.methodology === undefined ? {} : { methodology: manifest.methodology }),
    doesNotInclude: manifest.does_not_include ?? [],
    contract: manifest.contract,
    formats,
    ...(manifest.cache === undefined
      ? {}
      : {
          cache:
            manifest.cache === 'no-store'
              ? manifest.cache
              : { maxAge: manifest.cache.max_age, sMaxAge: manifest.cache.s_maxage }
        }),
    ...(languages === undefined ? {} : { languages }),
    input,
    ...(code?.refuses === undefined ? {} : { refuses: code.refuses }),
    output: known(kind.output?.({ answer, input, formats }, context) ?? code?.reply, `output of ${id}`),
    examples: examplesOf(manifest, { route, input, status: facts.status }),
    ...facts,
    answer,
    origin: { root, file: source.file }
  })
}

/** Returns an object schema for parameters, by name. */
export const parameters = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = []
): JsonSchema => ({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) })

const segment: JsonSchema = { type: 'string', minLength: 1, maxLength: 160 }

/** Returns the schema of the placeholders: the given schemas, and any text of one segment for the others. */
export const segments = (
  placeholders: readonly string[],
  described: Readonly<Record<string, JsonSchema>> = {}
): JsonSchema =>
  parameters({ ...Object.fromEntries(placeholders.map(name => [name, segment])), ...described }, placeholders)

type InputGiven = Readonly<{
  placeholders: readonly string[]
  formats: readonly Format[]
  languages: readonly string[] | undefined
  code: Code | undefined
  own: Partial<Input>
}>

/**
 * Returns the input of a surface: `params` and `query` as object schemas, and the body. A surface with several formats
 * gets the query parameter `format`, one with several languages `lang`. Undeclared parameters are not read.
 */
function inputOf({ placeholders, formats, languages, code, own }: InputGiven): Input {
  const query = code?.query ?? own.query ?? parameters({})
  const format: JsonSchema = {
    type: 'string',
    enum: formats,
    default: formats[0],
    description: 'Representation of the answer.'
  }
  const lang: JsonSchema = {
    type: 'string',
    enum: languages,
    description: `Language of the answer; goes before \`Accept-Language\`. Without both: ${languages?.[0] ?? ''}.`
  }
  const body = code?.body ?? own.body
  return {
    params: code?.params ?? own.params ?? segments(placeholders),
    query:
      formats.length < 2 && languages === undefined
        ? query
        : parameters(
            {
              ...propertiesOf(query),
              ...(languages === undefined ? {} : { lang }),
              ...(formats.length < 2 ? {} : { format })
            },
            requiredOf(query)
          ),
    ...(body === undefined ? {} : { body }),
    ...(code?.bytes === undefined ? {} : { bytes: code.bytes }),
    ...(code?.files === undefined ? {} : { files: code.files })
  }
}

const texts = (values: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

function urlOf(
  path: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>
): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) =>
    name in params ? encodeURIComponent(params[name] ?? '') : placeholder
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** Whether a surface can be called without knowing any value: it has no placeholder, body or required parameter. */
export const needsNothing = (route: Route, input: Input): boolean =>
  route.placeholders.length === 0 && input.body === undefined && requiredOf(input.query).length === 0

const contentOf = (body: JsonValue, { body: declared }: Input): NonNullable<Example['content']> =>
  declared?.isForm === true
    ? { type: formType, text: new URLSearchParams(texts(body as JsonObject)).toString() }
    : { type: 'application/json', text: JSON.stringify(body) }

/**
 * Returns the examples of a manifest with defaults and URLs. Without declared examples, a surface that needs no values
 * gets one: the plain request.
 */
function examplesOf(
  manifest: Manifest,
  { route, input, status }: Readonly<{ route: Route; input: Input; status: number }>
): Example[] {
  const [first = 'GET'] = route.methods
  const declared = manifest.examples ?? (needsNothing(route, input) ? [{ title: manifest.summary }] : [])
  return declared.map(example => {
    const params = texts(example.params)
    const query = texts(example.query)
    return {
      title: example.title,
      method: example.method ?? first,
      params,
      query,
      headers: example.headers ?? {},
      ...(example.body === undefined
        ? {}
        : { body: example.body as JsonValue, content: contentOf(example.body as JsonValue, input) }),
      url: urlOf(manifest.path, params, query),
      expect: {
        status: example.expect?.status ?? status,
        shows: (example.expect?.shows ?? {}) as Record<string, JsonValue>
      }
    }
  })
}
