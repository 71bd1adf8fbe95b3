import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../access/access.ts'
import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Format } from '../format/index.ts'
import type { DataOf, HandlerShape } from '../manifest/kind.ts'
import type { PathTo } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { FileInput, Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { invalid } from './errors.ts'

/**
 * A stage of an answer, where it is declared or implemented as `file:line`, and its result. `depth`: how many surfaces
 * asked each other before it; `ms` includes nested stages.
 */
export type Passed = Readonly<{ stage: string; depth: number; ms: number; where: string; decided: string }>

/** The answer of another surface, as text. */
export type Asked = Readonly<{
  surface: Surface
  status: number
  /** The media type without parameters such as the charset. */
  mediaType: string
  cacheControl: string
  /** Empty if the answer has none, like `cacheControl`. */
  retryAfter: string
  /** Values of `Set-Cookie`. */
  cookies: readonly string[]
  body: string
  /** The stages of the answer whose result was not cached. Empty outside development. */
  passed: readonly Passed[]
}>

/**
 * Asks another surface in process, for JSON, without the headers of the caller; a surface open to everyone anonymously,
 * any other as its caller. `target` is a path, optionally with a query; without `sent` it is a GET. Resolves to
 * `undefined` if no surface answers; rejects with a SurfaceError if the path cannot be decoded.
 */
export type Ask = (target: string, sent?: Readonly<{ method: 'POST'; body: JsonValue }>) => Promise<Asked | undefined>

/** The corpora that code reads, by name, with the schema of an entry. Members that it does not name are not read. */
export type CorporaRead = Readonly<Record<string, TSchema>>

/** An object type without members. */
export type None = Readonly<{ [none: symbol]: never }>

/** The corpora that a handler declares, with typed entries. */
export type CorporaOf<C extends CorporaRead> = { readonly [Name in keyof C]: Corpus<DataOf<C[Name]>> }

/** The request as a handler sees it: checked values. */
export type SurfaceRequest<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Corpora = unknown,
  Files extends string = never
> = Readonly<{
  method: string
  /** Percent-encoded as received, without the query. */
  path: string
  /** Also undeclared parameters, as received. */
  rawQuery: ReadonlyMap<string, readonly string[]>
  params: Params
  query: Query
  body: Body
  bytes: Uint8Array | undefined
  files: SentFiles<Files>
  corpora: Corpora
  /** Names are lowercase. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Anonymous on every surface that is open to everyone. */
  caller: Caller
  /** Salted hash of the caller's address; the salt changes each UTC day. */
  callerHash: string
  now: Date
  service: Service
  pathTo: PathTo
  ask: Ask
}>

/** A structural document in canonical form, cut where the time of the answer and its hash go. */
export type MirrorText = Readonly<{ before: string; after: string; etag: string }>

/** The answer of a handler. */
export type Reply<Data = unknown> = Readonly<{
  /** Default 200. */
  status?: number
  /** JSON data. Exactly one of `data` and `mirror` is given. */
  data?: Data
  mirror?: MirrorText
  /** Complete bodies that the handler writes itself, by declared format. */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** Sources that replace those the surface declares. */
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  /** When the data was current (ISO 8601); default the time of the answer. */
  asOf?: string
  headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
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
  body?: Readonly<{ schema: B; limitBytes: number }>
  /** Instead of `body`: at most `limitBytes` bytes of any content. */
  bytes?: Readonly<{ limitBytes: number }>
  /**
   * Files that may be sent with the fields of `body`, as `multipart/form-data` (RFC 7578). Others are refused before
   * `handle` is called: other types with 415, larger ones with 413.
   */
  files?: Readonly<Record<F, FileInput>>
  /** Statuses of its own refusals, for OpenAPI. */
  refuses?: readonly number[]
  corpora?: C
  /**
   * Lets a caller choose members with `fields`: of the items of the list `in`, or of the reply itself. `key` identifies
   * an entry and is always shown.
   */
  entries?: Readonly<{ in?: MembersOf<DataOf<R>>; key: string }>
  reply: R
  /**
   * Returns the version of the data, for a GET whose reply depends only on the path, the declared query, the request
   * headers in its own `Vary`, and that data. Answers of the same version are cached.
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
export const defined = <T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T

/**
 * Defines the code of a surface. The reply has exactly the members that its schema names: the compiler checks it, and
 * outside production so does the plan.
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
    body,
    bytes,
    files,
    refuses,
    corpora,
    entries,
    reply,
    version,
    handle
  }: HandlerDefinition<Services, R, C, P, Q, B, F>): Handler<Services> =>
    defined<Handler<Services>>({
      params: params && plain(params),
      query: query && plain(query),
      queryFrom: queryFrom && (found => plainAll(queryFrom(found as CorporaOf<C>))),
      body: body && { schema: plain(body.schema as TSchema), limitBytes: body.limitBytes },
      bytes,
      files,
      refuses,
      corpora: corpora && plainAll(corpora),
      entries,
      reply: plain(reply),
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

/** The input of a derivation: what does not change until the next reload. */
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

/** Defines code whose answer is made at the first request, and cached until the next reload. */
export const defineDerived = <R extends TSchema, C extends CorporaRead = None>({
  corpora,
  reply,
  derive
}: Definition<R, C>): Derivation => ({
  form: 'derive',
  ...(corpora === undefined ? {} : { corpora: plainAll(corpora) }),
  reply: plain(reply),
  derive
})

/** Converts a TypeBox schema, whose type does not name its keywords, to the type of plain JSON Schema. */
export const plain = (schema: TSchema): JsonSchema => ({ ...schema })

export const plainAll = (schemas: Readonly<Record<string, TSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]))

const textual = new TextDecoder('utf-8', { fatal: true })

/** A file of a form, in memory. `name` is the last part of the name that was sent; it must not be used as a path. */
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
