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
 * The surfaces that a page reads: for each, by name, the schema of its data. Members that it does not name are not
 * read.
 */
type SurfacesRead = Readonly<Record<string, TSchema>>

/**
 * The answer of a surface that a page can do without: its data, or the reason why there is none. If a value for its
 * path is missing, the surface is not asked and the reason is empty.
 */
export type Beside<Data = unknown> = Readonly<{
  status: number
  path: string
  mediaType: string
  text: string
  data: Data | undefined
  reason: string
  /** The stages of the answer, in `pantry dev`; otherwise empty. */
  passed: readonly Passed[]
}>

/** The answer of the surface that a form was sent to: its data, or why it was refused. */
export type Sent<Data = unknown> = Beside<Data> & Readonly<{ details: JsonObject }>

/** The input of a view: nothing else, so that a page never disagrees with the data that it shows. */
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
  /** The fields of the form, and in `sent` the outcome; both `undefined` if the page has no form. */
  form: Form
  sent: Reply
  params: Params
  query: Query
  /** The actual path, percent-encoded, without the query. */
  path: string
  /** The value of the hidden field `token` in each form of a page for signed-in people; empty on other pages. */
  formToken: string
  service: Service
  pathTo: PathTo
}>

/**
 * The content of a page. `scripts`: names of served scripts that improve the page, which must work without them. Or,
 * instead of a page, the path to redirect to after a form was accepted (303, RFC 9110 §15.4.4).
 */
export type PageContent =
  | Readonly<{ title: string; description?: string; main: VNode; scripts?: readonly string[] }>
  | Readonly<{ seeOther: string }>

/** The code of a page. `view` is a method, so that TypeScript accepts a narrower input type. */
export type Page = HandlerShape &
  Readonly<{
    form: 'view'
    shows: NonNullable<HandlerShape['shows']>
    besides: NonNullable<HandlerShape['besides']>
    toBody?(form: unknown, files: SentFiles): JsonValue
    view(given: PageGiven): PageContent
  }>

/**
 * A form that a page accepts with POST, as a browser sends it without scripts. Rules of the surface need not be checked
 * here: its refusal is shown.
 */
type Form<F extends TSchema, R extends TSchema, N extends string> = Readonly<{
  /** An object schema; fields are strings, integers or booleans. */
  fields: F
  limitBytes: number
  /** Files of the form, by name; it is then sent as `multipart/form-data`. */
  files?: Readonly<Record<N, FileInput>>
  /** The schema of what `view` reads of the answer of the surface that the manifest names under `sends`. */
  reply: R
  /** Returns the JSON body to send to the surface; a pure function. Its refusals are shown as those of the surface. */
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
  /** The schema of what `view` reads of each surface that the manifest names under `shows`. */
  shows?: S
  /** The same for each surface that the manifest names under `besides`. */
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
 * Defines a page. `view` is a pure function of its input: a page is cached as long as the data that it shows is the
 * same.
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
