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
 * A stage in the making of an answer: which one, where it is declared or implemented as `file:line`, and its result.
 * `depth`: how many surfaces asked each other before it; `ms`: its duration, including nested stages.
 */
export type Passed = Readonly<{ stage: string; depth: number; ms: number; where: string; decided: string }>

/** The answer of another surface of the service, as text. */
export type Asked = Readonly<{
  surface: Surface
  status: number
  /** Media type without parameters: `application/json`. */
  mediaType: string
  cacheControl: string
  /** Value of Retry-After; empty if the answer has none, like `cacheControl`. */
  retryAfter: string
  /** Values of `Set-Cookie`. */
  cookies: readonly string[]
  body: string
  /** The stages of the answer, without those whose result was cached. Empty outside development. */
  passed: readonly Passed[]
}>

/**
 * Asks another surface in process, for JSON; no header of the caller is passed on. A surface open to everyone asks
 * anonymously, any other as its caller. Without `sent` it is a GET. `target` is a path, optionally with a query;
 * `sent.body` is strict JSON. Resolves to `undefined` if no surface answers that method and path; rejects with a
 * SurfaceError if the path cannot be decoded.
 */
export type Ask = (target: string, sent?: Readonly<{ method: 'POST'; body: JsonValue }>) => Promise<Asked | undefined>

/**
 * The corpora that code reads: for each, by name, the schema of an entry. Members that it does not name are not read.
 */
export type CorporaRead = Readonly<Record<string, TSchema>>

/** An object type without members: no corpora, or no parameters. */
export type None = Readonly<{ [none: symbol]: never }>

/** The corpora that a handler declares, with typed entries. */
export type CorporaOf<C extends CorporaRead> = { readonly [Name in keyof C]: Corpus<DataOf<C[Name]>> }

/** The request as a handler sees it: checked values, nothing of HTTP's machinery. */
export type SurfaceRequest<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Corpora = unknown,
  Files extends string = never
> = Readonly<{
  method: string
  /** Actual path, percent-encoded as received, without the query. */
  path: string
  /** Every query parameter as received, also undeclared ones. */
  rawQuery: ReadonlyMap<string, readonly string[]>
  params: Params
  query: Query
  body: Body
  /** The bytes of the body, if the handler declares `bytes`. */
  bytes: Uint8Array | undefined
  /** The files of the form, of those that the handler declares. */
  files: SentFiles<Files>
  /** The corpora that the handler declares, in their current state. */
  corpora: Corpora
  /** Request headers; names are lowercase. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The caller; anonymous on every surface that is open to everyone. */
  caller: Caller
  /** Salted hash of the caller's address; the salt is random, lives in memory and changes each UTC day. */
  callerHash: string
  now: Date
  /** The current service, at the origin that it answers from. */
  service: Service
  pathTo: PathTo
  ask: Ask
}>

/** A structural document in canonical form, split where the time of the answer and its hash go. */
export type MirrorText = Readonly<{ before: string; after: string; etag: string }>

/** The answer of a handler as a plain value. */
export type Reply<Data = unknown> = Readonly<{
  /** Status code; default 200. */
  status?: number
  /** JSON data, which the contract wraps. Exactly one of `data` and `mirror` is given. */
  data?: Data
  mirror?: MirrorText
  /** Complete bodies by format, for declared formats that the handler writes itself. */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** Sources that replace those the surface declares. */
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  /** When the data was current (ISO 8601); default the time of the answer. */
  asOf?: string
  headers?: Readonly<Record<string, string>>
  /** Cookies to set: values of `Set-Cookie`. */
  cookies?: readonly string[]
}>

/**
 * A handler as plans call it. `handle` is a method, so that TypeScript accepts a narrower request type: a plan calls it
 * only after checking the input against the handler's schemas.
 */
export type Handler<Services> = HandlerShape &
  Readonly<{
    handle(request: SurfaceRequest, services: Services): Reply | Promise<Reply>
    version?(services: Services, now: Date): Promise<string>
  }>

/** Names of the members of a type; of all variants if it is a union. */
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
  /**
   * Returns further query parameters that depend on the declared corpora: their schemas by name. Their values are in
   * `query` too.
   */
  queryFrom?: (corpora: CorporaOf<C>) => Readonly<Record<string, TSchema>>
  /** Schema of the request body, and the most bytes it may have. */
  body?: Readonly<{ schema: B; limitBytes: number }>
  /** Instead of `body`: the body is read as bytes of any content, at most `limitBytes`. */
  bytes?: Readonly<{ limitBytes: number }>
  /**
   * Files that a caller may send with the fields of `body`, by name: the request is then `multipart/form-data` (RFC
   * 7578) instead of JSON. Undeclared files, other types (415) and larger files (413) are refused before `handle` is
   * called.
   */
  files?: Readonly<Record<F, FileInput>>
  /**
   * Statuses of its own refusals that do not follow from input and access, for OpenAPI: such as 429 if each client has
   * a share.
   */
  refuses?: readonly number[]
  /** The corpora that `handle` reads: for each, by name, the schema of an entry. */
  corpora?: C
  /**
   * Lets a caller choose members of entries with `fields`: of the items of the list `in`, or else of the reply itself.
   * `key` identifies an entry and is always shown.
   */
  entries?: Readonly<{ in?: MembersOf<DataOf<R>>; key: string }>
  reply: R
  /**
   * Returns the version of the data, for a GET whose reply depends only on the path, the declared query, the request
   * headers in its own `Vary`, and that data. Answers are cached, and `handle` is called only if none of this version
   * is cached.
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

/**
 * Defines the code of a surface, with the schemas beside the function that uses them. The reply has exactly the members
 * that its schema names: the compiler checks it, and outside production so does the plan. Importing a handler has no
 * side effect.
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
  }: HandlerDefinition<Services, R, C, P, Q, B, F>): Handler<Services> => ({
    ...(params === undefined ? {} : { params: plain(params) }),
    ...(query === undefined ? {} : { query: plain(query) }),
    ...(queryFrom === undefined
      ? {}
      : {
          queryFrom: given =>
            Object.fromEntries(
              Object.entries(queryFrom(given as CorporaOf<C>)).map(([name, schema]) => [name, plain(schema)])
            )
        }),
    ...(body === undefined ? {} : { body: { schema: plain(body.schema as TSchema), limitBytes: body.limitBytes } }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(files === undefined ? {} : { files }),
    ...(refuses === undefined ? {} : { refuses }),
    ...(corpora === undefined
      ? {}
      : { corpora: Object.fromEntries(Object.entries(corpora).map(([name, schema]) => [name, plain(schema)])) }),
    ...(entries === undefined ? {} : { entries }),
    reply: plain(reply),
    ...(version === undefined ? {} : { version }),
    handle
  })

/**
 * Returns a reply of plain data. Its type is that of the place where it is returned, so an excess member is a type
 * error. In a `handle` without parameters, TypeScript does not know that place yet and infers the type from the data:
 * there an excess member is found only when the reply is checked. (Without `exactOptionalPropertyTypes` the compiler
 * then infers `undefined` for `Data`, with it `never`.)
 */
export const reply = <Data = never, const Given = unknown>(
  data: [Data] extends [undefined] ? Given : NoInfer<Data>,
  more: Omit<Reply, 'data' | 'mirror'> = {}
): Reply<[Data] extends [undefined] ? Given : Data> => ({ ...more, data: data })

/** The input of a derivation: only what does not change until the next reload. */
export type DerivedFrom<Corpora = unknown> = Readonly<{
  /** The corpora that the code declares. */
  corpora: Corpora
  registry: Registry
  pathTo: PathTo
}>

/**
 * Code whose answer is constant until the next reload. `derive` is a method, so that TypeScript accepts a narrower type
 * for its corpora.
 */
export type Derivation = HandlerShape & Readonly<{ form: 'derive'; derive(from: DerivedFrom): Reply }>

type Definition<R extends TSchema, C extends CorporaRead> = Readonly<{
  /** The corpora that `derive` reads: for each, by name, the schema of an entry. */
  corpora?: C
  reply: R
  derive: (from: DerivedFrom<CorporaOf<C>>) => Reply<DataOf<R>>
}>

/**
 * Defines code whose answer is constant between two reloads: it is made at the first request, and cached. Importing it
 * has no side effect.
 */
export const defineDerived = <R extends TSchema, C extends CorporaRead = None>({
  corpora,
  reply,
  derive
}: Definition<R, C>): Derivation => ({
  form: 'derive',
  ...(corpora === undefined
    ? {}
    : { corpora: Object.fromEntries(Object.entries(corpora).map(([name, schema]) => [name, plain(schema)])) }),
  reply: plain(reply),
  derive
})

/** Converts a TypeBox schema, whose interface type does not name its keywords, to the type of plain JSON Schema. */
export const plain = (schema: TSchema): JsonSchema => ({ ...schema })

const textual = new TextDecoder('utf-8', { fatal: true })

/**
 * A file that a form contained. It is held in memory during its request and written nowhere. `name` is the last part of
 * the name given by the sender, and must not be used as a path.
 */
export class SentFile {
  readonly field: string
  readonly name: string
  /** Media type in lower case, without parameters: one of the declared types. */
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
    const refused = invalid(this.field, `The file in \`${this.field}\` must be text in UTF-8.`)
    try {
      const text = textual.decode(this.bytes)
      if (!text.includes('\0')) return text
    } catch {
      throw refused
    }
    throw refused
  }
}

/** The files of a request by their declared names; a file that was not sent is absent. */
export type SentFiles<Names extends string = string> = Readonly<Partial<Record<Names, SentFile>>>
