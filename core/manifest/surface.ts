import { accessTable, admitsEveryone, hasScopes, type Access } from '../access/index.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import { memoize } from '../canonical/work.ts'
import type { Format } from '../format/index.ts'
import type { Capability, Contract, Method, Provenance, Stability } from '../vocabulary/words.ts'
import type { Idempotency } from './kind.ts'
import { bestMatch, placeholderNamesOf, type Route, type Segment, type Target } from './paths.ts'
import type { Service } from './service.ts'

/**
 * Since when a surface is deprecated (`date`, ISO 8601), when it ends (`sunset`), and the id of the surface to use
 * instead.
 */
export type Deprecation = Readonly<{
  date: string
  sunset?: string | undefined
  successor?: string | undefined
  reason: string
}>

/** A request body: strict JSON, or an HTML form in which each field occurs at most once. */
export type BodyInput = Readonly<{ schema: JsonSchema; limitBytes: number; isForm?: true }>

/** A file that a form uploads, with its allowed media types. */
export type FileInput = Readonly<{ types: readonly string[]; limitBytes: number; description?: string }>

/** The input of a surface. `params` and `query` are object schemas whose values are strings, numbers or booleans. */
export type Input = Readonly<{
  params: JsonSchema
  query: JsonSchema
  body?: BodyInput
  /** An optional body of any content, passed on as bytes; never beside `body`. */
  bytes?: Readonly<{ limitBytes: number }>
  /** Uploaded files by name. If there are any, the body may also be `multipart/form-data` (RFC 7578). */
  files?: Readonly<Record<string, FileInput>>
}>

/** A request and what its answer must show. */
export type Example = Readonly<{
  title: string
  method: Method
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  /** The access kind of who asks, and the header of its key, with `<key>` for the key. */
  as?: Readonly<{ kind: Access; header: readonly [name: string, value: string] }>
  body?: JsonValue
  content?: Readonly<{ type: string; text: string }>
  /** Path and query of the request. */
  url: string
  expect: Readonly<{ status: number; shows: Readonly<Record<string, JsonValue>> }>
}>

/** An answer that the manifest contains. */
export type FixedAnswer = Readonly<{
  data: JsonValue
  error?: Readonly<{ code: string; message: string; details?: JsonObject }>
  echo?: Echoes
  /** Target of a redirect: a path of the service, or a URL. */
  location?: string
}>

/** A column that requests compare or sort by, and what an index must cover to make that fast. */
export type ComparedColumn = Readonly<{ field: string; index: 'values' | 'lower-case' | 'parts' | 'items' }>

/** What the rest of the framework knows about an answer without knowing its kind. */
export type AnswerFacts = Readonly<{
  status: number
  fixed?: FixedAnswer
  /**
   * The corpus that the answer shows, and the member of `data` that contains its selected entries (`list`), one of the
   * selected entries (`choice`), or the entry with a requested key (`one`).
   */
  shows?: Readonly<{ corpus: string; as: 'list' | 'choice' | 'one'; member: string }>
  /** The query parameter that asks for all entries in one answer, which no tool can hold. */
  streams?: string
  /** Of rows of a table: the columns that requests compare or sort by. */
  compares?: readonly ComparedColumn[]
  /** Id of the handler that answers. */
  code?: string
  /** Name of the discovery document that is the answer. */
  serves?: string
  /** The media type of its JSON, if it is not `application/json`. */
  mediaType?: string
  /**
   * Of a page: the requests whose answers it shows, those whose answers may be missing (`besides`), whether search
   * engines may keep it, and its entry in the menu. Of a form: the request that it sends, and its page (`back`).
   */
  page?: Readonly<{
    shows: readonly Target[]
    besides: readonly Target[]
    sends?: Target
    back?: Target
    isIndexed: boolean
    menu?: Readonly<{ label: string; place: number; asks?: string }>
  }>
  /** For an MCP endpoint: surface ids by tool name, and paths by resource name. */
  offers?: Readonly<{ tools: Readonly<Record<string, string>>; resources: Readonly<Record<string, string>> }>
  /** Whether the answer describes surfaces, among them the one that gives it. */
  containsSelf: boolean
  /** Facts about the answer that clients rely on beyond the schemas, by name. */
  promises: Readonly<Record<string, JsonValue>>
}>

/**
 * Cache-Control of a surface that may be cached for other times (in seconds) than its freshness key says, or not at
 * all.
 */
type CacheRule = 'no-store' | Readonly<{ maxAge: number; sMaxAge: number }>

/** One path with its methods, as the rest of the framework uses it: frozen, with all defaults filled in. */
export type Surface<Answer = unknown> = AnswerFacts &
  Readonly<{
    /** Path of the manifest below `manifests/`, without its ending: `guides/guide`, `identify.post`. */
    id: string
    /** The id of the page if the surface is a form. Forms are in no discovery document. */
    formOf?: string
    kind: string
    reaches: readonly Capability[]
    route: Route
    title: string
    summary: string
    description: string
    /** Tags; the first one is the group in tools, OpenAPI and llms.txt. */
    tags: readonly string[]
    access: readonly Access[]
    carriesPii: boolean
    requiresConsent: boolean
    freshness: Readonly<{ key: string; seconds: number }>
    license: string
    sources: readonly string[]
    provenance: Provenance
    stability: Stability
    deprecation?: Deprecation
    agent?: 'core' | 'never'
    /** The scope that the key of an agent must have. */
    scope?: string
    /** ISO 8601 date of the first release. */
    since: string
    /** Id of the concept that explains how the answer is made. */
    methodology?: string
    doesNotInclude: readonly string[]
    contract: Contract
    formats: readonly Format[]
    cache?: CacheRule
    /** Languages of the corpus that the surface shows, or of a page, the default first. */
    languages?: readonly string[]
    input: Input
    /** Texts of its code that people read, by name. */
    texts?: Readonly<Record<string, string>>
    /** Whether undeclared query parameters are refused. */
    strict?: boolean
    /** Seconds in which an answer must be there. */
    deadline?: number
    /** Whether the code reads all query parameters, also undeclared ones. */
    readsRawQuery?: true
    refuses?: readonly number[]
    /** How requests other than GET are answered once for each idempotency key. */
    idempotency?: Idempotency
    /** Whether requests other than GET may or must have `If-Match` or `If-None-Match`. */
    precondition?: 'optional' | 'required'
    /** Schema of `data`, or of the whole body of a bare answer, in the default format. */
    output: JsonSchema
    examples: readonly Example[]
    /** What the kind compiled the manifest to. Only the kind reads it. */
    answer: Answer
    origin: Readonly<{ root: string; file: string }>
  }>

/** Returns the surface that answers a request to the target with this method. */
export const surfaceAt = (
  surfaces: readonly Surface[],
  { segments }: Pick<Target, 'segments'>,
  method: 'GET' | 'POST' = 'GET'
): Surface | undefined =>
  bestMatch(
    surfaces.filter(({ route }) => route.methods.includes(method)),
    segments
  )

const sortedNames = (segments: readonly Segment[]): string => placeholderNamesOf(segments).sort().join()

type Showing = Readonly<{ page: Surface; asks: Target }>

const showingsOf = memoize((surfaces: readonly Surface[]): ReadonlyMap<Route, readonly Showing[]> => {
  const showings = new Map<Route, Showing[]>()
  for (const page of surfaces) {
    const asks = page.page?.shows[0]
    const route = asks === undefined ? undefined : surfaceAt(surfaces, asks)?.route
    if (asks === undefined || route === undefined || sortedNames(asks.segments) !== sortedNames(page.route.segments))
      continue
    showings.set(route, [...(showings.get(route) ?? []), { page, asks }])
  }
  return showings
})

/**
 * Returns the pages whose first shown request goes to the surface and has the same placeholders as the path of the
 * page, each with that request (`asks`).
 */
export const pagesOf = ({ route }: Surface, surfaces: readonly Surface[]): readonly Showing[] =>
  showingsOf(surfaces).get(route) ?? []

/** Documents that browsers load with pages. */
const ofPages: readonly (string | undefined)[] = ['assets', 'favicon', 'opensearch']

/** Whether the surface is meant for programs: it is no page, and nothing that browsers load with pages. */
export const isForPrograms = ({ page, serves }: Surface): boolean => page === undefined && !ofPages.includes(serves)

/**
 * Whether MCP tools may offer a surface: it admits everyone or agents with a key, its default format is not HTML, and
 * its manifest does not say `agent: never`.
 */
export const isForAgents = ({ access, formats, agent: profile }: Surface, service: Service): boolean =>
  profile !== 'never' &&
  formats[0] !== 'html' &&
  (admitsEveryone(access) || access.some(name => hasScopes(accessTable(service.access)[name] ?? { meaning: '' })))

const steps = {
  trim: (text: string) => text.trim(),
  lowercase: (text: string) => text.toLowerCase(),
  nfc: (text: string) => text.normalize('NFC'),
  'collapse-whitespace': (text: string) => text.replace(/\s+/g, ' ')
}
export type NormaliseStep = keyof typeof steps
export const normaliseSteps = Object.keys(steps) as NormaliseStep[]

/** Applies normalisation steps to a text in the given order (NFC: Unicode Standard Annex 15). */
export const normaliseText = (text: string, names: readonly NormaliseStep[]): string =>
  names.reduce((value, name) => steps[name](value), text)

/** A parameter that the answer repeats. `maxLength` counts the characters before normalisation. */
type Echo = Readonly<{ description: string; maxLength: number; pattern: string; normalise: readonly NormaliseStep[] }>

export type Echoes = Readonly<Record<string, Echo>>

/** Returns the parameters that the answer repeats: the normalised text, or null for a parameter without a text. */
export const echoed = (echoes: Echoes, given: Readonly<Record<string, unknown>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(echoes).map(([name, { normalise }]) => {
      const value = given[name]
      return [name, typeof value === 'string' ? normaliseText(value, normalise) : null]
    })
  )
