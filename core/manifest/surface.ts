import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { Access, Contract, DiscoveryDocument, Format, Kind, Method, Provenance, Stability } from '../vocabulary/words.ts'

/** One part of a path: literal text, or the name of a placeholder that matches exactly one segment. */
export type Segment = Readonly<{ literal: string } | { placeholder: string }>

export type Route = Readonly<{
  /** As written in the manifest: `/a/{b}/c`. */
  path: string
  segments: readonly Segment[]
  placeholders: readonly string[]
  methods: readonly Method[]
}>

/** A request body: always strict JSON (RFC 8259, fatal UTF-8, no duplicate keys). */
export type BodyInput = Readonly<{ schema: JsonSchema, limitBytes: number }>

/** What a surface reads. `params` and `query` are object schemas; query values are strings, integers or booleans. */
export type Input = Readonly<{ params: JsonSchema, query: JsonSchema, body?: BodyInput }>

/** A request and what its answer must show: published, and executed by the tests. */
export type Example = Readonly<{
  title: string
  method: Method
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  body?: JsonValue
  /** Request path with the parameters filled in, and the query. */
  url: string
  expect: Readonly<{ status: number, shows: Readonly<Record<string, JsonValue>> }>
}>

/** How a filter compares the query value with the entry's field. */
export type FilterOperation = 'equals' | 'equals-any-case' | 'since' | 'maximum'
export type Filter = Readonly<{ name: string, field: string, operation: FilterOperation }>

/** A normalisation step of a text that is given back. */
export type NormaliseStep = 'trim' | 'lowercase' | 'nfc' | 'collapse-whitespace'

/** A parameter that the answer gives back: bounded before it is normalised (lengths in characters), never kept. */
export type Echo = Readonly<{ description: string, maxLength: number, pattern: string, normalise: readonly NormaliseStep[] }>

/** Echoed parameters by name. A placeholder is always there; a query parameter that was left out is echoed as null. */
export type Echoes = Readonly<Record<string, Echo>>

export type StatusOnly = Readonly<{
  kind: 'status-only'
  status: number
  /** Present when the status is a failure. */
  error?: Readonly<{ code: ErrorCode, message: string, details?: JsonObject }>
  /** The status document; `null` when there is none. */
  document: JsonValue
  /** Lines of an NDJSON answer, instead of a document. */
  lines?: readonly JsonValue[]
  echo?: Echoes
  retryAfterSeconds?: number
}>

export type DocumentAnswer = Readonly<{ kind: 'document', document: string, echo?: Echoes }>

export type CollectionAnswer = Readonly<{
  kind: 'collection'
  corpus: string
  filters: readonly Filter[]
  limit?: Readonly<{ default: number, maximum: number }>
  /** Fields to sort by; `-field` sorts from high to low. */
  order: readonly string[]
  /** One of the entries that the filters select, another each UTC day, the same for every caller. */
  pick?: 'daily'
  /** With `pick`: the query parameter `all` asks for every entry that the filters select. */
  all?: true
  /** Fields of an entry that are shown; all when absent. */
  fields?: readonly string[]
  /** Name of the list in the answer. */
  list: string
  /** Fixed members that stand before the list. */
  document: JsonObject
}>

export type EntryAnswer = Readonly<{
  kind: 'entry'
  corpus: string
  /** The placeholder that carries the entry's key. */
  key: string
  /** Name of the entry in the answer. */
  member: string
  document: JsonObject
}>

export type WitnessAnswer = Readonly<{
  kind: 'witness'
  normalise: Readonly<Record<string, readonly NormaliseStep[]>>
  /** Versioned identifier of the hash contract, and the members of the normalised body it covers. */
  hash: Readonly<{ contract: string, over: readonly string[] }>
  /** What the normalised body is wished to be: what it lacks is reported, and refused by nobody. */
  advice?: JsonSchema
  /** Constants of the receipt. */
  receipt: JsonObject
  /** Fixed members that stand before the echo. */
  document: JsonObject
}>

export type DiscoveryAnswer = Readonly<{ kind: 'discovery', document: DiscoveryDocument }>

export type HandlerAnswer = Readonly<{ kind: 'handler', handler: string }>

export type AnswerSource = StatusOnly | DocumentAnswer | CollectionAnswer | EntryAnswer | WitnessAnswer | DiscoveryAnswer | HandlerAnswer

/** Cache-Control of a surface whose answer may be kept longer or shorter than its freshness key says (seconds), or not at all. */
export type CacheRule = 'no-store' | Readonly<{ maxAge: number, sMaxAge: number }>

/** One method + path pair as the rest of the framework sees it: total, frozen, with its origin. */
export type Surface = Readonly<{
  /** Path of the manifest file below `manifests/`, without its ending: `wake/fragments`, `identify.post`. */
  id: string
  kind: Kind
  route: Route
  /** Heading of the text representations. */
  title: string
  summary: string
  description: string
  /** Words that group surfaces in tools, OpenAPI and llms.txt; the first one is the group. */
  tags: readonly string[]
  access: Access
  freshness: Readonly<{ key: string, seconds: number }>
  license: string
  /** Source labels of `service.yaml`. */
  sources: readonly string[]
  provenance: Provenance
  stability: Stability
  /** ISO 8601 date of the first release. */
  since: string
  /** Id of the concept that explains how the answer is made, where there is one. */
  methodology?: string
  doesNotInclude: readonly string[]
  contract: Contract
  formats: readonly Format[]
  cache?: CacheRule
  input: Input
  /** Schema of what the contract wraps (`data`, or the whole body of a bare answer) in the default format. */
  output: JsonSchema
  examples: readonly Example[]
  answer: AnswerSource
  origin: Readonly<{ root: string, file: string, line: number }>
}>

/** A surface whose answer source is of one kind: what a kind's plan compiler receives. */
export type SurfaceOf<K extends Kind> = Surface & Readonly<{ answer: Extract<AnswerSource, { kind: K }> }>
