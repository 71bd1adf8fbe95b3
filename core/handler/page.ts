import type { VNode } from 'preact'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Static, TObject, TSchema, TUndefined } from 'typebox'
import type { DataOf, HandlerShape } from '../manifest/kind.ts'
import type { PathTo } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { FileInput } from '../manifest/surface.ts'
import { Refused } from '../page/components.tsx'
import { defined, plain, plainAll, type None, type Passed, type SentFiles } from './handler.ts'

/** The surfaces that a page reads, by name, with the schema of their data. */
type SurfacesRead = Readonly<Record<string, TSchema>>

/**
 * The answer of a surface that a page can do without: its data, or the reason why there is none; the reason is empty if
 * a value for its path is missing.
 */
export type Beside<Data = unknown> = Readonly<{
  status: number
  path: string
  mediaType: string
  text: string
  data: Data | undefined
  reason: string
  /** Empty outside `pantry dev`. */
  passed: readonly Passed[]
}>

/** The answer of the surface that a form was sent to. */
export type Sent<Data = unknown> = Beside<Data> & Readonly<{ details: JsonObject }>

/** What the view of a page is made of. */
export type PageGiven<Shows = unknown, Besides = unknown, Params = unknown, Query = unknown> = Readonly<{
  shown: Shows
  beside: Besides
  params: Params
  query: Query
  /** Percent-encoded, without the query. */
  path: string
  /** The value of the hidden field `token` in forms for signed-in people; otherwise empty. */
  formToken: string
  service: Service
  pathTo: PathTo
}>

/** What the view of a form is made of. */
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
 * The content of a page. `scripts`: names of served scripts that improve the page, which must work without them. Or the
 * path to redirect to after a form was accepted (303, RFC 9110 §15.4.4).
 */
export type PageContent =
  | Readonly<{ title: string; description?: string; main: VNode; scripts?: readonly string[] }>
  | Readonly<{ seeOther: string }>

/** `view` is a method, so that it may take less than any page has. */
type View = HandlerShape &
  Readonly<{ form: 'view'; shows: NonNullable<HandlerShape['shows']>; besides: NonNullable<HandlerShape['besides']> }>

/** The code of a form. */
export type PageForm = View &
  Readonly<{ toBody(form: unknown, files: SentFiles): JsonValue; view(given: FormGiven): PageContent }>

/** The code of a page, with its forms by name. */
export type Page = View & Readonly<{ forms?: Readonly<Record<string, PageForm>>; view(given: PageGiven): PageContent }>

type FormDefinition<
  S extends SurfacesRead,
  B extends SurfacesRead,
  P extends TSchema,
  F extends TSchema,
  R extends TSchema,
  N extends string
> = Readonly<{
  /** Default: each is any text of one segment. */
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
  /** Makes the JSON body that the surface is asked with. Default: the fields as they are. */
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
  /** The schema of what `view` reads of each surface under `shows` in the manifest. */
  shows?: S
  /** The same for `besides`. */
  besides?: B
  /** By their names in the manifest. */
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

const noFields = Type.Object({}, { additionalProperties: false })

/** The reason if the path that a form is sent to has no value. */
const nowhere = 'There is nothing here that takes this form.'

/** Shows why a form was refused, or leads on. */
function plainView(title: string | undefined, then: string | undefined): PageForm['view'] {
  if (typeof title !== 'string') throw new TypeError('A form has a `title`, or a `view` and the `reply` that it reads.')
  return ({ sent: { data, reason }, back }): PageContent =>
    data === undefined
      ? { title, main: Refused({ reason: reason === '' ? nowhere : reason, back }) }
      : { seeOther: then ?? back }
}

/**
 * Defines a form of a page, which a browser sends without a script. The surface decides, and its refusal is shown.
 * Without a `view` it leads back to its page.
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
}: FormDefinition<S, B, P, F, R, N>): PageForm =>
  defined<PageForm>({
    form: 'view',
    params: params && plain(params),
    shows: plainAll(shows ?? {}),
    besides: plainAll(besides ?? {}),
    body: { schema: plain(fields ?? noFields), limitBytes, isForm: true },
    files,
    sent: reply && plain(reply),
    toBody: toBody ?? (form => form as JsonValue),
    reply: { type: 'string' },
    view: view ?? plainView(title, then)
  })

/** Defines a page. `view` is a pure function: a page is cached as long as the data that it shows is the same. */
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
}: Definition<S, B, P, Q>): Page =>
  defined<Page>({
    form: 'view',
    params: params && plain(params),
    query: query && plain(query),
    shows: plainAll(shows ?? {}),
    besides: plainAll(besides ?? {}),
    forms,
    reply: { type: 'string' },
    view
  })
