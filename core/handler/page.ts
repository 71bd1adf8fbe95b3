import type { VNode } from 'preact'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { Static, TObject, TSchema, TUndefined } from 'typebox'
import type { DataOf } from '../manifest/data-of.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { PathTo } from '../manifest/path-to.ts'
import type { Service } from '../manifest/service.ts'
import type { FileInput } from '../manifest/surface.ts'
import type { None, Passed } from './handler.ts'
import { plain } from './plain-schema.ts'
import type { SentFiles } from './sent-file.ts'

/**
 * What is read of other surfaces: for each, by its name, the schema of its data. Members that it does not name are not
 * read.
 */
type SurfacesRead = Readonly<Record<string, TSchema>>

/**
 * What a surface answered that a page can do without: its data, or why there is none. It was not asked, with an empty
 * reason, where a value of its path is missing.
 */
export type Beside<Data = unknown> = Readonly<{
  status: number
  path: string
  mediaType: string
  text: string
  data: Data | undefined
  reason: string
  /** The stages that the answer passed, in `pantry dev`; else empty. */
  passed: readonly Passed[]
}>

/** What the surface answered that a form was sent to: its data, or why it was refused. */
export type Sent<Data = unknown> = Beside<Data> & Readonly<{ details: JsonObject }>

/** What a view is made of: nothing else, so that a page can never disagree with what it shows. */
export type PageGiven<
  Shows = unknown,
  Besides = unknown,
  Params = unknown,
  Query = unknown,
  Form = unknown,
  Reply = unknown
> = Readonly<{
  /** The data of each surface that the page shows, by name. */
  shown: Shows
  beside: Besides
  /** The fields of the form, and what came of it; `undefined` where the page takes none. */
  form: Form
  sent: Reply
  params: Params
  query: Query
  /** The concrete path, percent-encoded, without the query. */
  path: string
  /** What each form of a page for signed-in people carries in the field `token`; empty on the others. */
  formToken: string
  service: Service
  pathTo: PathTo
}>

/**
 * A page before it is written. `scripts`: names of the served scripts that it works better with; it works without.
 * Instead of a page: where to look after a form was taken (RFC 9110 §15.4.4).
 */
export type PageContent =
  | Readonly<{ title: string; description?: string; main: VNode; scripts?: readonly string[] }>
  | Readonly<{ seeOther: string }>

/** The code of a page. `view` is a method, so that what it takes may be narrower than any page. */
export type Page = HandlerShape &
  Readonly<{
    form: 'view'
    shows: NonNullable<HandlerShape['shows']>
    besides: NonNullable<HandlerShape['besides']>
    toBody?(form: unknown, files: SentFiles): JsonValue
    view(given: PageGiven): PageContent
  }>

/**
 * A form that a page takes with POST, as a browser sends it without a script. What the surface must decide need not be
 * checked here: its refusal is shown.
 */
type Form<F extends TSchema, R extends TSchema, N extends string> = Readonly<{
  /** An object schema; fields are texts, whole numbers or booleans. */
  fields: F
  limitBytes: number
  /** Files beside the fields, by name, of a form that is sent as `multipart/form-data`. */
  files?: Readonly<Record<N, FileInput>>
  /** What `view` reads of the surface that the manifest names under `sends`. */
  reply: R
  /** The JSON body that the surface is asked with: a pure function. What it refuses is shown as the surface's word. */
  toBody: (form: Static<F>, files: SentFiles<N>) => JsonValue
}>

type Definition<
  S extends SurfacesRead,
  B extends SurfacesRead,
  P extends TSchema,
  Q extends TSchema,
  F extends TSchema,
  R extends TSchema,
  N extends string
> = Readonly<{
  params?: P
  query?: Q
  /** What `view` reads of each surface that the manifest names under `shows`. */
  shows?: S
  /** The same of those that the manifest names under `besides`. */
  besides?: B
  form?: Form<F, R, N>
  view: (
    given: PageGiven<
      { readonly [Name in keyof S]: DataOf<S[Name]> },
      { readonly [Name in keyof B]: Beside<DataOf<B[Name]>> },
      Static<P>,
      Static<Q>,
      Static<F>,
      R extends TUndefined ? undefined : Sent<DataOf<R>>
    >
  ) => PageContent
}>

const plainAll = (schemas: SurfacesRead): Record<string, ReturnType<typeof plain>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]))

/**
 * Writes the view of a page. It is a pure function of what it is given: pages are kept for as long as what they show is
 * the same.
 */
export const definePage = <
  S extends SurfacesRead = None,
  B extends SurfacesRead = None,
  P extends TSchema = TObject<None>,
  Q extends TSchema = TObject<None>,
  F extends TSchema = TUndefined,
  R extends TSchema = TUndefined,
  N extends string = never
>({
  params,
  query,
  shows,
  besides,
  form,
  view
}: Definition<S, B, P, Q, F, R, N>): Page => ({
  form: 'view',
  ...(params === undefined ? {} : { params: plain(params) }),
  ...(query === undefined ? {} : { query: plain(query) }),
  shows: plainAll(shows ?? {}),
  besides: plainAll(besides ?? {}),
  ...(form === undefined
    ? {}
    : {
        body: { schema: plain(form.fields), limitBytes: form.limitBytes, isForm: true },
        ...(form.files === undefined ? {} : { files: form.files }),
        sent: plain(form.reply),
        toBody: form.toBody
      }),
  reply: { type: 'string' },
  view
})
