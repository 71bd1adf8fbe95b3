import type { Static, TSchema } from 'typebox'
import type { JsonValue } from '../canonical/json.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Format } from '../format/index.ts'

/** What another surface of the service answered, as text. */
export type Asked = Readonly<{
  surface: Surface
  status: number
  /** Without parameters: `application/json`. */
  mediaType: string
  cacheControl: string
  body: string
}>

/**
 * A GET of another surface, in process and as anyone would make it: JSON is asked for, no header of the caller is passed on.
 * `target` is a path with or without a query. Resolves to `undefined` where no surface answers GET; rejects with a SurfaceError
 * when the path cannot be read.
 */
export type Ask = (target: string) => Promise<Asked | undefined>

/** The request as a handler sees it: checked values, no HTTP machinery. */
export type SurfaceRequest<Params = unknown, Query = unknown, Body = unknown> = Readonly<{
  method: string
  /** Concrete path, percent-encoded as received, without the query. */
  path: string
  /** Every query parameter as received, also undeclared ones. */
  rawQuery: ReadonlyMap<string, readonly string[]>
  params: Params
  query: Query
  body: Body
  /** Header names are lowercase. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Salted hash of the caller's address; the salt is random, lives in memory and changes each UTC day. */
  callerHash: string
  now: Date
  /** The service as it is served now, at the origin it answers from. */
  service: Service
  ask: Ask
}>

/** A structural document in canonical form, split where the time of the answer stands. */
export type MirrorText = Readonly<{ before: string, after: string, etag: string }>

/** The answer as a plain value. */
export type Reply = Readonly<{
  /** Default 200. */
  status?: number
  /** JSON the contract wraps. Exactly one of `data` and `mirror` is given. */
  data?: JsonValue
  mirror?: MirrorText
  /** Whole bodies of declared formats, where the answer has a form of its own for them. */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** Replace the surface's declared sources, when the answer knows better. */
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  /** When the data was current (ISO 8601); default the time of the answer. */
  asOf?: string
  headers?: Readonly<Record<string, string>>
}>

export type Handler<Services> = HandlerShape & Readonly<{
  handle: (request: SurfaceRequest<never, never, never>, services: Services) => Reply | Promise<Reply>
}>

export type HandlerTable<Services> = ReadonlyMap<string, Handler<Services>>

type Declared<S> = S extends TSchema ? Static<S> : Record<string, never>

/** The one way to write code for a surface: schemas beside the function that uses them. Importing it has no side effect. */
export const defineHandlerFor = <Services>() =>
  <P extends TSchema | undefined = undefined, Q extends TSchema | undefined = undefined, B extends TSchema | undefined = undefined>(
    definition: {
      params?: P
      query?: Q
      body?: { schema: B, limitBytes: number }
      reply: TSchema
      handle: (request: SurfaceRequest<Declared<P>, Declared<Q>, B extends TSchema ? Static<B> : JsonValue | undefined>, services: Services) => Reply | Promise<Reply>
    }
  ): Handler<Services> => definition as unknown as Handler<Services>

/** A reply of plain data. */
export const reply = (data: JsonValue, more: Omit<Reply, 'data' | 'mirror'> = {}): Reply => ({ ...more, data })
