import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../access/access.ts'
import type { JsonValue } from '../canonical/json.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { DataOf } from '../manifest/data-of.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { PathTo } from '../manifest/path-to.ts'
import type { Service } from '../manifest/service.ts'
import type { FileInput, Surface } from '../manifest/surface.ts'
import type { Format } from '../format/index.ts'
import type { Derivation } from './derived.ts'
import type { Page } from './page.ts'
import { plain } from './plain-schema.ts'
import type { SentFiles } from './sent-file.ts'

/**
 * A stage that an answer passed: which one, where it is declared or written as `file:line`, and what it decided.
 * `depth` counts the surfaces that asked each other before it; `ms` has what is in it too.
 */
export type Passed = Readonly<{ stage: string; depth: number; ms: number; where: string; decided: string }>

/** What another surface of the service answered, as text. */
export type Asked = Readonly<{
  surface: Surface
  status: number
  /** Without parameters: `application/json`. */
  mediaType: string
  cacheControl: string
  /** Empty where the answer has none, as the next. */
  retryAfter: string
  /** Values of `Set-Cookie`. */
  cookies: readonly string[]
  body: string
  /** The stages that the answer passed, without those whose outcome was kept. Empty outside development. */
  passed: readonly Passed[]
}>

/**
 * Asks another surface, in process: JSON is asked for, no header of the caller is passed on. A surface that is open to
 * everyone asks as anyone would, another one as its caller. Without `sent` it is a GET. `target` is a path with or
 * without a query, `sent.body` strict JSON. Resolves to `undefined` where no surface answers the method there; rejects
 * with a SurfaceError when the path cannot be read.
 */
export type Ask = (target: string, sent?: Readonly<{ method: 'POST'; body: JsonValue }>) => Promise<Asked | undefined>

/**
 * What is read of corpora: for each, by its name, the schema of an entry. Members that it does not name are not read.
 */
export type CorporaRead = Readonly<Record<string, TSchema>>

/** Code that reads no corpus, or has no parameters. */
export type None = Readonly<{ [none: symbol]: never }>

/** The corpora that a handler declares, with their entries typed. */
export type CorporaOf<C extends CorporaRead> = { readonly [Name in keyof C]: Corpus<DataOf<C[Name]>> }

/** The request as a handler sees it: checked values, no HTTP machinery. */
export type SurfaceRequest<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Corpora = unknown,
  Files extends string = never
> = Readonly<{
  method: string
  /** Concrete path, percent-encoded as received, without the query. */
  path: string
  /** Every query parameter as received, also undeclared ones. */
  rawQuery: ReadonlyMap<string, readonly string[]>
  params: Params
  query: Query
  body: Body
  /** The bytes of the body, where the handler declares that it reads them. */
  bytes: Uint8Array | undefined
  /** The files that came with the form, of those that the handler declares. */
  files: SentFiles<Files>
  /** The corpora that the handler declares, as they are served now. */
  corpora: Corpora
  /** Header names are lowercase. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Who asks; anonymous on every surface that is open to everyone. */
  caller: Caller
  /** Salted hash of the caller's address; the salt is random, lives in memory and changes each UTC day. */
  callerHash: string
  now: Date
  /** The service as it is served now, at the origin it answers from. */
  service: Service
  pathTo: PathTo
  ask: Ask
}>

/** A structural document in canonical form, split where the time of the answer goes. */
export type MirrorText = Readonly<{ before: string; after: string; etag: string }>

/** The answer as a plain value. */
export type Reply<Data = unknown> = Readonly<{
  /** Default 200. */
  status?: number
  /** JSON the contract wraps. Exactly one of `data` and `mirror` is given. */
  data?: Data
  mirror?: MirrorText
  /** Whole bodies of declared formats, where the answer has a form of its own for them. */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** Replace the surface's declared sources, when the answer knows better. */
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  /** When the data was current (ISO 8601); default the time of the answer. */
  asOf?: string
  headers?: Readonly<Record<string, string>>
  /** What the browser of who asks is to keep: values of `Set-Cookie`. */
  cookies?: readonly string[]
}>

/**
 * A handler as a plan knows it. `handle` is a method, so that the request it takes may be narrower than any request:
 * before a plan calls it, the input was checked against the schemas that make it so.
 */
export type Handler<Services> = HandlerShape &
  Readonly<{
    handle(request: SurfaceRequest, services: Services): Reply | Promise<Reply>
    version?(services: Services, now: Date): Promise<string>
  }>

/** The code of a surface, in one of its forms. */
export type Coded<Services> = Handler<Services> | Derivation | Page

/** The code of roots by id. */
export type HandlerTable<Services> = ReadonlyMap<string, Coded<Services>>

/** Names of members, of each form that a reply may have. */
type MembersOf<Data> = Data extends unknown ? keyof Data & string : never

/** A handler as it is written. */
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
   * Further query parameters that follow from the corpora that it declares: their schemas by name. Their values are in
   * `query` beside the others.
   */
  queryFrom?: (corpora: CorporaOf<C>) => Readonly<Record<string, TSchema>>
  /** Schema of the request body, and the most bytes it may have. */
  body?: Readonly<{ schema: B; limitBytes: number }>
  /** Instead of `body`: the bytes of a body of any content are read, and how many it may have at most. */
  bytes?: Readonly<{ limitBytes: number }>
  /**
   * Files that a caller may send beside the fields of `body`, by name: then the request is `multipart/form-data` (RFC
   * 7578) instead of JSON. Of others, of other types (415) and of larger ones (413) `handle` hears nothing.
   */
  files?: Readonly<Record<F, FileInput>>
  /**
   * Statuses of refusals of its own that do not follow from its input and its access, such as 429 where a client has a
   * share: OpenAPI says them.
   */
  refuses?: readonly number[]
  /** What `handle` reads of corpora: for each, by its name, the schema of an entry. */
  corpora?: C
  /**
   * Lets a caller choose members of entries with `fields`: of the items of the list `in`, or without it of the reply
   * itself. `key` names an entry and is always shown.
   */
  entries?: Readonly<{ in?: MembersOf<DataOf<R>>; key: string }>
  reply: R
  /**
   * For a GET whose reply follows from the path, the declared query, the request headers that its own `Vary` names, and
   * something that has a version: answers are kept, and `handle` is called only where none of that version is.
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
 * The one way to write code for a surface: schemas beside the function that uses them. The reply has the members that
 * its schema names, and no other: the compiler checks it, and outside production so does the plan. Importing a handler
 * has no side effect.
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
 * A reply of plain data. Its type is that of the place it is returned to, so that a member too many is an error. Only a
 * `handle` without parameters has no such place while it is typed: there the data gives the type, and a member too many
 * is found when the reply is checked. (Without `exactOptionalPropertyTypes` the compiler then takes `Data` for
 * `undefined`, with it for `never`.)
 */
export const reply = <Data = never, const Given = unknown>(
  data: [Data] extends [undefined] ? Given : NoInfer<Data>,
  more: Omit<Reply, 'data' | 'mirror'> = {}
): Reply<[Data] extends [undefined] ? Given : Data> => ({ ...more, data: data })
