import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Capability } from '../vocabulary/capabilities.ts'
import type { Format } from '../format/index.ts'
import type { Access } from '../access/index.ts'
import type { Contract, Method, Provenance, Stability } from '../vocabulary/words.ts'
import type { AnswerFacts } from './kind.ts'

/** One part of a path: literal text, or the name of a placeholder that matches exactly one segment. */
export type Segment = Readonly<{ literal: string } | { placeholder: string }>

export type Route = Readonly<{
  /** As written in the manifest: `/a/{b}/c`. */
  path: string
  segments: readonly Segment[]
  placeholders: readonly string[]
  methods: readonly Method[]
  /** Other paths with the same placeholders. */
  aliases: readonly Readonly<{ path: string; segments: readonly Segment[] }>[]
}>

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
