import { accessTable, admitsEveryone, agent, type Access } from '../access/index.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import { onceFor } from '../canonical/work.ts'
import type { Format } from '../format/index.ts'
import type { Capability, Contract, Method, Provenance, Stability } from '../vocabulary/words.ts'
import { answering, type Route, type Segment, type Target } from './paths.ts'
import type { Service } from './service.ts'

/** The date since which a surface is deprecated (ISO 8601), when it ends, and the id of the surface to use instead. */
export type Deprecation = Readonly<{
  date: string
  sunset?: string | undefined
  successor?: string | undefined
  reason: string
}>

/**
 * A request body: strict JSON (RFC 8259, fatal UTF-8, no duplicate keys), or an HTML form in which each field occurs at
 * most once.
 */
export type BodyInput = Readonly<{ schema: JsonSchema; limitBytes: number; isForm?: true }>

/** A request body of any content, passed on as bytes. A request without a body is answered too. */
type BytesInput = Readonly<{ limitBytes: number }>

/** A file that a form uploads with its fields: the allowed media types, and the maximum size in bytes. */
export type FileInput = Readonly<{ types: readonly string[]; limitBytes: number; description?: string }>

/**
 * The input of a surface. It has `body` or `bytes`, never both. `params` and `query` are object schemas; query values
 * are strings, integers or booleans.
 */
export type Input = Readonly<{
  params: JsonSchema
  query: JsonSchema
  body?: BodyInput
  bytes?: BytesInput
  /**
   * Uploaded files sent with the fields of `body`, by name: then the body may also be `multipart/form-data` (RFC 7578).
   */
  files?: Readonly<Record<string, FileInput>>
}>

/** A request and what its answer must show. Examples are published, and the tests execute them. */
export type Example = Readonly<{
  title: string
  method: Method
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  body?: JsonValue
  /** The body as it is sent, and its media type. */
  content?: Readonly<{ type: string; text: string }>
  /** Request path with the parameters filled in, and the query. */
  url: string
  expect: Readonly<{ status: number; shows: Readonly<Record<string, JsonValue>> }>
}>

/** An answer that is written completely in the manifest. */
export type FixedAnswer = Readonly<{
  data: JsonValue
  error?: Readonly<{ code: string; message: string; details?: JsonObject }>
  echo?: Echoes
  /** Target of a redirect: a path of the service, or a URL. */
  location?: string
}>

/** What the rest of the framework knows about an answer without knowing its kind. */
export type AnswerFacts = Readonly<{
  /** Status of the declared answer. */
  status: number
  fixed?: FixedAnswer
  /**
   * The corpus that the answer shows, and the member of `data` that holds the content: the selected entries (`list`),
   * one of them (`choice`), or the entry with a requested key (`one`).
   */
  shows?: Readonly<{ corpus: string; as: 'list' | 'choice' | 'one'; member: string }>
  /** Id of the handler that answers. */
  code?: string
  /** The discovery document that is served. */
  serves?: string
  /**
   * Of a page: the requests whose answers it shows, and its entry in the menu. Of a form: where it is sent.
   */
  page?: Readonly<{
    shows: readonly Target[]
    besides: readonly Target[]
    sends?: Target
    menu?: Readonly<{ label: string; place: number }>
  }>
  /** For an MCP endpoint: surface ids by tool name, and paths by resource name. */
  offers?: Readonly<{ tools: Readonly<Record<string, string>>; resources: Readonly<Record<string, string>> }>
  /** Whether the answer describes the surface that gives it. */
  containsSelf: boolean
  /** Further facts that clients rely on beyond the schemas, by name. Changing one breaks clients. */
  promises: Readonly<Record<string, JsonValue>>
}>

/**
 * Cache-Control of a surface whose answer may be cached for another time (in seconds) than its freshness key says, or
 * not at all.
 */
type CacheRule = 'no-store' | Readonly<{ maxAge: number; sMaxAge: number }>

/**
 * One path with its methods, as the rest of the framework uses it: frozen, with all defaults filled in and its origin.
 */
export type Surface<Answer = unknown> = AnswerFacts &
  Readonly<{
    /** Path of the manifest file below `manifests/`, without its ending: `guides/guide`, `identify.post`. */
    id: string
    /** Of a form: the id of the page that it belongs to. It has a route, and is in no document. */
    formOf?: string
    /** Name of its kind: what tells surfaces apart. */
    kind: string
    /** The capabilities that the kind may use. */
    reaches: readonly Capability[]
    route: Route
    /** Heading of the text representations. */
    title: string
    summary: string
    description: string
    /** Words that group surfaces in tools, OpenAPI and llms.txt; the first one is the group. */
    tags: readonly string[]
    access: readonly Access[]
    /** Whether an answer may hold data about a person. */
    carriesPii: boolean
    /** Whether a person must have consented before. */
    requiresConsent: boolean
    freshness: Readonly<{ key: string; seconds: number }>
    license: string
    /** Source labels of `service.yaml`. */
    sources: readonly string[]
    provenance: Provenance
    stability: Stability
    deprecation?: Deprecation
    /** `core`: one of the few surfaces that agents need most. `never`: no MCP tool calls it. */
    agent?: 'core' | 'never'
    /** ISO 8601 date of the first release. */
    since: string
    /** Id of the concept that explains how the answer is made, if there is one. */
    methodology?: string
    doesNotInclude: readonly string[]
    contract: Contract
    formats: readonly Format[]
    cache?: CacheRule
    /**
     * Languages of the content, the default first; present only if the corpus that the surface shows declares
     * languages.
     */
    languages?: readonly string[]
    input: Input
    /** Further error statuses that the surface's code answers with. */
    refuses?: readonly number[]
    /** Schema of what the contract wraps (`data`, or the whole body of a bare answer) in the default format. */
    output: JsonSchema
    examples: readonly Example[]
    /** What the kind compiled the manifest to. Only the kind reads it. */
    answer: Answer
    origin: Readonly<{ root: string; file: string }>
  }>

/** Returns the surface that answers the target with a method. */
export const surfaceAt = (
  surfaces: readonly Surface[],
  { segments }: Pick<Target, 'segments'>,
  method: 'GET' | 'POST' = 'GET'
): Surface | undefined =>
  answering(
    surfaces.filter(({ route }) => route.methods.includes(method)),
    segments
  )

const namesOf = (segments: readonly Segment[]): string =>
  segments
    .flatMap(segment => ('placeholder' in segment ? [segment.placeholder] : []))
    .sort()
    .join()

/** A page, and the first request that it makes. */
type Showing = Readonly<{ page: Surface; asks: Target }>

const showingsOf = onceFor((surfaces: readonly Surface[]): ReadonlyMap<Route, readonly Showing[]> => {
  const found = new Map<Route, Showing[]>()
  for (const one of surfaces) {
    const { shows: [first] = [] } = one.page ?? {}
    const route = first === undefined ? undefined : surfaceAt(surfaces, first)?.route
    if (first === undefined || route === undefined || namesOf(first.segments) !== namesOf(one.route.segments)) continue
    found.set(route, [...(found.get(route) ?? []), { page: one, asks: first }])
  }
  return found
})

/** Returns the pages that show a surface first and whose path has the same placeholders. */
export const pagesOf = ({ route }: Surface, surfaces: readonly Surface[]): readonly Showing[] =>
  showingsOf(surfaces).get(route) ?? []

/**
 * Whether MCP tools may offer a surface: an agent's key can be admitted, the default format is not HTML, and the
 * manifest does not say `agent: never`.
 */
export const isForAgents = ({ access, formats, agent: wanted }: Surface, service: Service): boolean =>
  wanted !== 'never' &&
  formats[0] !== 'html' &&
  (admitsEveryone(access) ||
    access.some(name => accessTable(service.access)[name]?.credential?.name === agent.credential?.name))

/** Names of the normalisation steps for an echoed text. */
export const normaliseSteps = ['trim', 'lowercase', 'nfc', 'collapse-whitespace'] as const
export type NormaliseStep = (typeof normaliseSteps)[number]

const steps: Readonly<Record<NormaliseStep, (text: string) => string>> = {
  trim: text => text.trim(),
  lowercase: text => text.toLowerCase(),
  nfc: text => text.normalize('NFC'),
  'collapse-whitespace': text => text.replace(/\s+/g, ' ')
}

/** Returns the text after the wanted steps, in that order (NFC: Unicode Standard Annex 15). */
export const normaliseText = (text: string, wanted: readonly NormaliseStep[]): string =>
  wanted.reduce((value, step) => steps[step](value), text)

/**
 * A parameter that the answer repeats. Its length (in characters) is checked before it is normalised; it is never
 * stored.
 */
type Echo = Readonly<{ description: string; maxLength: number; pattern: string; normalise: readonly NormaliseStep[] }>

/** Echoed parameters by name. A placeholder always has a value; an absent query parameter is echoed as null. */
export type Echoes = Readonly<Record<string, Echo>>

/** Returns the members for the echoed parameters: the normalised text, or null for an absent parameter. */
export const echoed = (echoes: Echoes, given: Readonly<Record<string, unknown>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(echoes).map(([name, { normalise }]) => {
      const value = given[name]
      return [name, typeof value === 'string' ? normaliseText(value, normalise) : null]
    })
  )
