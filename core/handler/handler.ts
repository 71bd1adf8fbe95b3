import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../access/access.ts'
import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Format } from '../format/index.ts'
import type { DataOf, HandlerShape, Idempotency } from '../manifest/kind.ts'
import type { PathTo } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { FileInput, Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { Method } from '../vocabulary/words.ts'
import { invalid } from './errors.ts'

/**
 * One stage of an answer. `where`: the place that decides it, as `file:line`; `decided`: its result. `depth`: how many
 * surfaces asked each other before this stage; `ms` includes nested stages.
 */
export type Passed = Readonly<{ stage: string; depth: number; ms: number; where: string; decided: string }>

/** The answer of another surface, as text. */
export type Asked = Readonly<{
  surface: Surface
  status: number
  /** The media type without parameters such as the charset. */
  mediaType: string
  cacheControl: string
  /** The value of Retry-After; empty if the answer has none. `cacheControl` is empty in the same case. */
  retryAfter: string
  /** Values of `Set-Cookie`. */
  cookies: readonly string[]
  /** Path and query of the next page, as `Link` says; undefined where there is none. */
  next: string | undefined
  body: string
  /** The stages of the answer whose result was not cached. Empty outside `pantry dev`. */
  passed: readonly Passed[]
}>

/**
 * Asks another surface in process, for JSON, without the headers of the request. The caller is that of the request, but
 * anonymous for a surface whose only access kind is `public`. `target` is a path, optionally with a query; without
 * `sent` the method is GET. Resolves to `undefined` if no surface answers; rejects with a SurfaceError if the path
 * cannot be decoded.
 */
export type Ask = (target: string, sent?: Readonly<{ method: Method; body?: JsonValue }>) => Promise<Asked | undefined>

/**
 * The corpora that code reads, by name, with the schema of an entry. The type of an entry has only the members that its
 * schema names.
 */
export type CorporaRead = Readonly<Record<string, TSchema>>

/** An object type without members. */
export type None = Readonly<{ [none: symbol]: never }>

/** The corpora that a handler declares, with typed entries. */
export type CorporaOf<C extends CorporaRead> = { readonly [Name in keyof C]: Corpus<DataOf<C[Name]>> }

/** The request as a handler sees it. `params`, `query`, `body` and `files` match what the handler declares. */
export type SurfaceRequest<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Corpora = unknown,
  Files extends string = never
> = Readonly<{
  method: string
  /** The path of the request, percent-encoded as received, without the query. */
  path: string
  /**
   * All query parameters, also undeclared ones, decoded but not checked. Empty if the query is malformed. A handler
   * that reads them says `rawQuery: true`.
   */
  rawQuery: ReadonlyMap<string, readonly string[]>
  params: Params
  query: Query
  body: Body
  bytes: Uint8Array | undefined
  files: SentFiles<Files>
  corpora: Corpora
  /** The header fields of the request, by lowercase name. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Anonymous if the only access kind of the surface is `public`. */
  caller: Caller
  /** Salted hash of the caller's IPv4 address or IPv6 /64 network; the salt changes each UTC day. */
  callerHash: string
  now: Date
  /** Aborted when nobody waits for the answer any more: the client has gone, or the deadline has passed. */
  signal: AbortSignal
  /**
   * Compares the tag that the thing has now (the `etag` of its reply; undefined if there is none) with `If-Match` and
   * `If-None-Match` of the request, and throws a 412. Call it where the thing cannot change any more before the write.
   */
  requireMatch: (etag: string | undefined) => void
  service: Service
  pathTo: PathTo
  ask: Ask
}>

/**
 * A structural document as canonical JSON, cut where the time of the answer and the hash of the document go. `etag`:
 * the opaque part of its entity tag.
 */
export type MirrorText = Readonly<{ before: string; after: string; etag: string }>

/** The answer of a handler. */
export type Reply<Data = unknown> = Readonly<{
  /** HTTP status. Default: 200. */
  status?: number
  /** JSON data. Default: null. Never beside `mirror`. */
  data?: Data
  mirror?: MirrorText
  /**
   * Complete bodies that the handler writes itself, by declared format: a string is sent as it is, another value as
   * JSON.
   */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** Source labels that replace those of the surface. `sourceLicense`: their licenses. */
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  /** When the data was current (ISO 8601). Default: the time of the answer; for a derivation, of the last reload. */
  asOf?: string
  headers?: Readonly<Record<string, string>>
  /** The tag of the state that the reply shows, without quotation marks, for `ETag` of JSON and later `If-Match`. */
  etag?: string
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
  /** The query parameters of the next page that differ from those of the request. Absent on the last page. */
  next?: Readonly<Record<string, string | number>>
}>

/** A handler as plans call it. `handle` is a method, so that TypeScript accepts a narrower request type. */
export type Handler<Services> = HandlerShape &
  Readonly<{
    handle(request: SurfaceRequest, services: Services): Reply | Promise<Reply>
    version?(services: Services, now: Date): Promise<string>
  }>

type MembersOf<Data> = Data extends unknown ? keyof Data & string : never

/** A handler as its author writes it. */
export type HandlerDefinition<
  Services,
  R extends TSchema,
  C extends CorporaRead,
  P extends TSchema,
  Q extends TSchema,
  B,
  F extends string
> = Readonly<{
  params?: P
  query?: Q
  /** Returns the schemas of further query parameters, by name, that depend on the declared corpora. */
  queryFrom?: (corpora: CorporaOf<C>) => Readonly<Record<string, TSchema>>
  /** True for code that reads `rawQuery`: `X-Ignored-Parameters` then names no parameter. */
  rawQuery?: true
  body?: Readonly<{ schema: B; limitBytes: number }>
  /** Instead of `body`: a body of at most `limitBytes` bytes, of any media type. */
  bytes?: Readonly<{ limitBytes: number }>
  /**
   * Files that may be sent with the fields of `body`, as `multipart/form-data` (RFC 7578). Before `handle` is called,
   * undeclared files are refused with 400, other media types with 415, and larger files with 413.
   */
  files?: Readonly<Record<F, FileInput>>
  /** Statuses of the errors that `handle` throws, for OpenAPI. */
  refuses?: readonly number[]
  /**
   * Answers requests other than GET once for each `Idempotency-Key`: `{ key: 'optional' }` or `{ key: 'required' }`,
   * and the `hours` for which an answer is kept (default: 24). What `handle` writes by `database.change` is kept with
   * it.
   */
  idempotency?: Idempotency
  /**
   * Lets requests other than GET say how the thing is that they change: `optional`, or `required` for a 428 without
   * `If-Match` and `If-None-Match`. `handle` calls `request.requireMatch`.
   */
  precondition?: 'optional' | 'required'
  corpora?: C
  /**
   * The messages that `handle` may throw and nouns in them, by name, so that translations are asked of them. A message
   * may have placeholders: `There is no room on {day}.`
   */
  texts?: Readonly<Record<string, string>>
  /**
   * Adds the query parameter `fields`, with which a caller chooses members of the items of the list `in`, or of the
   * reply itself. `key` is the member that identifies an item; it is always shown.
   */
  entries?: Readonly<{ in?: MembersOf<DataOf<R>>; key: string }>
  reply: R
  /**
   * Returns the version of the data, for a GET whose reply depends only on the path, the declared query, the request
   * headers that the reply names in `Vary`, and that data. Answers are cached while the version is the same.
   */
  version?: (services: Services, now: Date) => Promise<string>
  handle: (
    request: SurfaceRequest<
      Static<P>,
      Static<Q>,
      B extends TSchema ? Static<B> : JsonValue | undefined,
      CorporaOf<C>,
      F
    >,
    services: Services
  ) => Reply<DataOf<R>> | Promise<Reply<DataOf<R>>>
}>

/** Returns an object without its undefined members. */
export const omitUndefined = <T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T

/**
 * Returns the function that defines a handler of a root with `Services`. The reply has exactly the members that its
 * schema names: the compiler checks this, and in development and tests so does the plan.
 */
export const defineHandlerFor =
  <Services>() =>
  <
    R extends TSchema,
    C extends CorporaRead = None,
    P extends TSchema = TObject<None>,
    Q extends TSchema = TObject<None>,
    B = undefined,
    F extends string = never
  >({
    params,
    query,
    queryFrom,
    rawQuery,
    body,
    bytes,
    files,
    refuses,
    idempotency,
    precondition,
    corpora,
    texts,
    entries,
    reply,
    version,
    handle
  }: HandlerDefinition<Services, R, C, P, Q, B, F>): Handler<Services> =>
    omitUndefined<Handler<Services>>({
      params: params && toJsonSchema(params),
      query: query && toJsonSchema(query),
      queryFrom: queryFrom && (found => toJsonSchemas(queryFrom(found as CorporaOf<C>))),
      rawQuery,
      body: body && { schema: toJsonSchema(body.schema as TSchema), limitBytes: body.limitBytes },
      bytes,
      files,
      refuses,
      idempotency,
      precondition,
      corpora: corpora && toJsonSchemas(corpora),
      texts,
      entries,
      reply: toJsonSchema(reply),
      version,
      handle
    })

/**
 * Returns a reply of plain data. An excess member is a type error, except in a `handle` without parameters, where it is
 * found only when the reply is checked. (Without `exactOptionalPropertyTypes` the compiler infers `undefined` for
 * `Data`, with it `never`.)
 */
export const reply = <Data = never, const Given = unknown>(
  data: [Data] extends [undefined] ? Given : NoInfer<Data>,
  more: Omit<Reply, 'data' | 'mirror'> = {}
): Reply<[Data] extends [undefined] ? Given : Data> => ({ ...more, data })

/** The input of a derivation, which does not change until the next reload. */
export type DerivedFrom<Corpora = unknown> = Readonly<{ corpora: Corpora; registry: Registry; pathTo: PathTo }>

/**
 * Code whose answer is constant until the next reload. `derive` is a method, so that TypeScript accepts narrower
 * corpora.
 */
export type Derivation = HandlerShape & Readonly<{ form: 'derive'; derive(from: DerivedFrom): Reply }>

type Definition<R extends TSchema, C extends CorporaRead> = Readonly<{
  corpora?: C
  reply: R
  derive: (from: DerivedFrom<CorporaOf<C>>) => Reply<DataOf<R>>
}>

/** Defines a derivation: code whose reply is made at the first request and cached until the next reload. */
export const defineDerived = <R extends TSchema, C extends CorporaRead = None>({
  corpora,
  reply,
  derive
}: Definition<R, C>): Derivation => ({
  form: 'derive',
  ...(corpora === undefined ? {} : { corpora: toJsonSchemas(corpora) }),
  reply: toJsonSchema(reply),
  derive
})

/** Converts a TypeBox schema, whose type does not name its keywords, to the type of plain JSON Schema. */
export const toJsonSchema = (schema: TSchema): JsonSchema => ({ ...schema })

export const toJsonSchemas = (schemas: Readonly<Record<string, TSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]))

const textual = new TextDecoder('utf-8', { fatal: true })

/** A file of a form, in memory. `name` is the last segment of the file name that was sent; never use it as a path. */
export class SentFile {
  readonly field: string
  readonly name: string
  /** One of the declared types, in lower case and without parameters. */
  readonly type: string
  readonly bytes: Uint8Array

  constructor(field: string, { name, type, bytes }: Pick<SentFile, 'name' | 'type' | 'bytes'>) {
    this.field = field
    this.name = name
    this.type = type
    this.bytes = bytes
  }

  /** Returns the text without a byte order mark; throws 400 if it is not UTF-8 or contains U+0000. */
  text(): string {
    let text = '\0'
    try {
      text = textual.decode(this.bytes)
    } catch {
      // Refused below.
    }
    if (!text.includes('\0')) return text
    throw invalid(this.field, `The file in \`${this.field}\` must be text in UTF-8.`)
  }
}

/** The files of a request by their declared names. */
export type SentFiles<Names extends string = string> = Readonly<Partial<Record<Names, SentFile>>>
