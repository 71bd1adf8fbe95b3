import type { VNode } from 'preact'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Static, TObject, TSchema, TUndefined } from 'typebox'
import type { DataOf, HandlerShape } from '../manifest/kind.ts'
import type { PathTo } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { FileInput } from '../manifest/surface.ts'
import { Refused } from '../page/components.tsx'
import { plain, type None, type Passed, type SentFiles } from './handler.ts'

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

/** What the view of a page is made of: nothing else, so that a page can never disagree with what it shows. */
export type PageGiven<Shows = unknown, Besides = unknown, Params = unknown, Query = unknown> = Readonly<{
  /** The data of each surface that the page shows, by name. */
  shown: Shows
  beside: Besides
  params: Params
  query: Query
  /** The actual path, percent-encoded, without the query. */
  path: string
  /** The value of the hidden field `token` in each form of a page for signed-in people; empty on other pages. */
  formToken: string
  service: Service
  pathTo: PathTo
}>

/** What the view of a form is given besides: what was entered, and what the surface answered. */
export type FormGiven<
  Shows = unknown,
  Besides = unknown,
  Params = unknown,
  Fields = unknown,
  Reply = unknown
> = PageGiven<Shows, Besides, Params> &
  Readonly<{
    form: Fields
    sent: Sent<Reply>
    /** The path of the page that shows the form. */
    back: string
  }>

/**
 * The content of a page. `scripts`: names of served scripts that improve the page, which must work without them. Or,
 * instead of a page, the path to redirect to after a form was accepted (303, RFC 9110 §15.4.4).
 */
export type PageContent =
  | Readonly<{ title: string; description?: string; main: VNode; scripts?: readonly string[] }>
  | Readonly<{ seeOther: string }>

/** The code of a page, or of a form. `view` is a method, so that what it takes may be narrower than any page. */
type View = HandlerShape &
  Readonly<{ form: 'view'; shows: NonNullable<HandlerShape['shows']>; besides: NonNullable<HandlerShape['besides']> }>

/** The code of a form. */
export type PageForm = View &
  Readonly<{ toBody(form: unknown, files: SentFiles): JsonValue; view(given: FormGiven): PageContent }>

/** The code of a page. */
export type Page = View & Readonly<{ forms?: Readonly<Record<string, PageForm>>; view(given: PageGiven): PageContent }>

type FormDefinition<
  S extends SurfacesRead,
  B extends SurfacesRead,
  P extends TSchema,
  F extends TSchema,
  R extends TSchema,
  N extends string
> = Readonly<{
  /** The placeholders of its path. Default: each is any text of one segment. */
  params?: P
  /** What `view` reads of surfaces that the page shows, by the names that they have there. */
  shows?: S
  /** The same of those that the page has `besides`. */
  besides?: B
  /** An object schema; fields are texts, whole numbers or booleans. Default: none. */
  fields?: F
  /** The most bytes of the form as it is sent. Default: 512. */
  limitBytes?: number
  /** Files beside the fields, by name, of a form that is sent as `multipart/form-data`. */
  files?: Readonly<Record<N, FileInput>>
  /**
   * The JSON body that the surface is asked with: a pure function. What it refuses is shown as the surface's word.
   * Default: the fields as they are.
   */
  toBody?: (form: Static<F>, files: SentFiles<N>) => JsonValue
}> &
  (
    | Readonly<{
        /** Title of the page that says why the form was refused. */
        title: string
        /** The path that a form leads to that was taken. Default: its page. */
        then?: string
        reply?: undefined
        view?: undefined
      }>
    | Readonly<{
        title?: undefined
        then?: undefined
        /** What `view` reads of the surface that the manifest names under `sends`. */
        reply: R
        view: (
          given: FormGiven<
            { readonly [Name in keyof S]: DataOf<S[Name]> },
            { readonly [Name in keyof B]: Beside<DataOf<B[Name]>> },
            Static<P>,
            Static<F>,
            DataOf<R>
          >
        ) => PageContent
      }>
  )

type Definition<S extends SurfacesRead, B extends SurfacesRead, P extends TSchema, Q extends TSchema> = Readonly<{
  params?: P
  query?: Q
  /** The schema of what `view` reads of each surface that the manifest names under `shows`. */
  shows?: S
  /** The same for each surface that the manifest names under `besides`. */
  besides?: B
  /** The forms that it shows, each by the name that the manifest has for it. */
  forms?: Readonly<Record<string, PageForm>>
  view: (
    given: PageGiven<
      { readonly [Name in keyof S]: DataOf<S[Name]> },
      { readonly [Name in keyof B]: Beside<DataOf<B[Name]>> },
      Static<P>,
      Static<Q>
    >
  ) => PageContent
}>

const plainAll = (schemas: SurfacesRead): Record<string, ReturnType<typeof plain>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]))

const noFields = Type.Object({}, { additionalProperties: false })

/** What is said where the path that a form is sent to has no value. */
const nowhere = 'There is nothing here that takes this form.'

/** Shows why a form was refused, or leads on. Throws a TypeError where JavaScript gives no title. */
function plainView(title: string | undefined, then: string | undefined): PageForm['view'] {
  if (typeof title !== 'string') throw new TypeError('A form has a `title`, or a `view` and the `reply` that it reads.')
  return ({ sent: { data, reason }, back }): PageContent =>
    data === undefined
      ? { title, main: Refused({ reason: reason === '' ? nowhere : reason, back }) }
      : { seeOther: then ?? back }
}

/**
 * Writes a form that a page shows, as a browser sends it with POST without a script. What the surface must decide need
 * not be checked here: its refusal is shown. Without a `view` it leads back to its page, or says why it was refused.
 */
export const defineForm = <
  S extends SurfacesRead = None,
  B extends SurfacesRead = None,
  P extends TSchema = TObject<None>,
  F extends TSchema = TObject<None>,
  R extends TSchema = TUndefined,
  N extends string = never
>({
  params,
  shows,
  besides,
  fields,
  limitBytes = 512,
  files,
  toBody,
  title,
  then,
  reply,
  view
}: FormDefinition<S, B, P, F, R, N>): PageForm => ({
  form: 'view',
  ...(params === undefined ? {} : { params: plain(params) }),
  shows: plainAll(shows ?? {}),
  besides: plainAll(besides ?? {}),
  body: { schema: plain(fields ?? noFields), limitBytes, isForm: true },
  ...(files === undefined ? {} : { files }),
  ...(reply === undefined ? {} : { sent: plain(reply) }),
  toBody: toBody ?? (form => form as JsonValue),
  reply: { type: 'string' },
  view: view ?? plainView(title, then)
})

/**
 * Defines a page. `view` is a pure function of its input: a page is cached as long as the data that it shows is the
 * same.
 */
export const definePage = <
  S extends SurfacesRead = None,
  B extends SurfacesRead = None,
  P extends TSchema = TObject<None>,
  Q extends TSchema = TObject<None>
>({
  params,
  query,
  shows,
  besides,
  forms,
  view
}: Definition<S, B, P, Q>): Page => ({
  form: 'view',
  ...(params === undefined ? {} : { params: plain(params) }),
  ...(query === undefined ? {} : { query: plain(query) }),
  shows: plainAll(shows ?? {}),
  besides: plainAll(besides ?? {}),
  ...(forms === undefined ? {} : { forms }),
  reply: { type: 'string' },
  view
})
