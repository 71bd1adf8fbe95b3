import type { VNode } from 'preact'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Static, TObject, TSchema, TUndefined } from 'typebox'
import type { DataOf, HandlerShape } from '../manifest/kind.ts'
import type { PathTo } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { FileInput } from '../manifest/surface.ts'
import type { Crumb, Sharing } from '../format/head.ts'
import { formBytes } from './form-bytes.ts'
import { omitUndefined, toJsonSchema, toJsonSchemas, type None, type Passed, type SentFiles } from './handler.ts'

/** The surfaces that a page reads, by name, with the schema of their data. */
type SurfacesRead = Readonly<Record<string, TSchema>>

/**
 * The answer of a surface under `besides`. If the status is not 200, there is no `data`, and `reason` is the message of
 * the error; it is empty if the surface was not asked, because a value of its path is missing.
 */
export type Beside<Data = unknown> = Readonly<{
  status: number
  path: string
  mediaType: string
  text: string
  data: Data | undefined
  reason: string
  /** The details of the error; empty if there are none. */
  details: JsonObject
  /** The stages of the answer. Empty outside `pantry dev`. */
  passed: readonly Passed[]
}>

/** The answer of the surface that a form was sent to. From status 300 on there is no `data`. */
export type Sent<Data = unknown> = Beside<Data>

/** The argument of the view of a page. */
export type PageGiven<
  Shows = unknown,
  Besides = unknown,
  Params = unknown,
  Query = unknown,
  Texts = Readonly<Record<string, string>>
> = Readonly<{
  shown: Shows
  beside: Besides
  params: Params
  query: Query
  /** The path of the request, percent-encoded, without the query. */
  path: string
  /** The value of the hidden field `token` in forms of signed-in people; empty for other callers. */
  formToken: string
  service: Service
  /** The texts of the definition, in the language of the page. `fill` puts values in place of their placeholders. */
  texts: Texts
  /** Tag of the language of the page (BCP 47). */
  language: string
  pathTo: PathTo
}>

/** The argument of the view of a form. */
export type FormGiven<
  Shows = unknown,
  Besides = unknown,
  Params = unknown,
  Fields = unknown,
  Reply = unknown,
  Texts = Readonly<Record<string, string>>
> = PageGiven<Shows, Besides, Params, unknown, Texts> &
  Readonly<{
    form: Fields
    sent: Sent<Reply>
    /** The path of the page that shows the form. */
    back: string
  }>

/**
 * The content of a page, or the path to redirect to, such as after a form was accepted (303, RFC 9110 §15.4.4).
 * `scripts`: names of served scripts that improve the page, which must work without them. `refusedBy`: the name under
 * `besides` of a surface that refused what the page was asked for; the page then has its status. `crumbs`: the
 * pages above it, the topmost first. `sharing`: what a public page says to those who link to it.
 */
export type PageContent =
  | Readonly<{
      title: string
      description?: string
      main: VNode
      scripts?: readonly string[]
      refusedBy?: string
      crumbs?: readonly Crumb[]
      sharing?: Sharing
    }>
  | Readonly<{ seeOther: string }>

/**
 * What pages and forms have in common. Their `view` is a method, so that TypeScript accepts a narrower parameter type.
 */
type View = HandlerShape &
  Readonly<{ form: 'view'; shows: NonNullable<HandlerShape['shows']>; besides: NonNullable<HandlerShape['besides']> }>

/**
 * The code of a form. Its text `done` is shown on the page after it was accepted. A view that returns nothing after a
 * refusal means its page again.
 */
export type PageForm = View &
  Readonly<{ toBody(form: unknown, files: SentFiles): JsonValue; view(given: FormGiven): PageContent | undefined }>

/** The code of a page, with its forms by name. */
export type Page = View & Readonly<{ forms?: Readonly<Record<string, PageForm>>; view(given: PageGiven): PageContent }>

type FormDefinition<
  S extends SurfacesRead,
  B extends SurfacesRead,
  P extends TSchema,
  F extends TSchema,
  R extends TSchema,
  N extends string,
  T extends string
> = Readonly<{
  /** Schema of the placeholders. Default: each is any text of one segment. */
  params?: P
  /** The schema of what `view` reads of surfaces under `shows` of its page, by their names there. */
  shows?: S
  /** The schema of what `view` reads of surfaces under `besides` of its page, by their names there. */
  besides?: B
  /** What the view says, by name, for `texts` of its argument: see `definePage`. */
  texts?: Readonly<Record<T, string>>
  /** An object schema, whose members are texts, numbers, booleans or lists of them. Default: no fields. */
  fields?: F
  /**
   * Maximum bytes of the body; with `multipart/form-data`, of the values of the fields. Default: what the longest
   * values need that `fields` allows. A text without `maxLength` counts as 500 characters, a list without `maxItems` as
   * 10 values.
   */
  limitBytes?: number
  /** Files beside the fields, by name; the form is then sent as `multipart/form-data`. */
  files?: Readonly<Record<N, FileInput>>
  /** Makes the JSON body of the request to the surface. Default: the fields as they are. */
  toBody?: (form: Static<F>, files: SentFiles<N>) => JsonValue
  /** Title of the page that shows why the form was refused. Default: that of the page of the form. */
  title?: string
  /** What the page that follows says once the form was accepted, such as `Saved.`, in a line that is announced. */
  done?: string
}> &
  (
    | Readonly<{
        /** The path to redirect to after the surface has accepted the form. Default: the page of the form. */
        then?: string
        reply?: undefined
        view?: undefined
      }>
    | Readonly<{
        then?: undefined
        /** The schema of what `view` reads of the answer of the surface under `sends` in the manifest. */
        reply: R
        /**
         * The page after the form was sent. After a refusal, without `sent.data`, nothing is returned, so that the page
         * of the form is shown again; a form that is on another page returns that one.
         */
        view: (
          given: FormGiven<
            { readonly [Name in keyof S]: DataOf<S[Name]> },
            { readonly [Name in keyof B]: Beside<DataOf<B[Name]>> },
            Static<P>,
            Static<F>,
            DataOf<R>,
            Readonly<Record<T, string>>
          >
        ) => PageContent | undefined
      }>
  )

type Definition<
  S extends SurfacesRead,
  B extends SurfacesRead,
  P extends TSchema,
  Q extends TSchema,
  T extends string
> = Readonly<{
  params?: P
  query?: Q
  /**
   * What the page says, by name, in the default language of the service. The view is given them in the language of the
   * page; `pantry validate` names those that a language lacks.
   */
  texts?: Readonly<Record<T, string>>
  /** The schema of what `view` reads of each surface under `shows` in the manifest. */
  shows?: S
  /** The schema of what `view` reads of each surface under `besides` in the manifest. */
  besides?: B
  /** The forms of the page, by their names in the manifest. */
  forms?: Readonly<Record<string, PageForm>>
  view: (
    given: PageGiven<
      { readonly [Name in keyof S]: DataOf<S[Name]> },
      { readonly [Name in keyof B]: Beside<DataOf<B[Name]>> },
      Static<P>,
      Static<Q>,
      Readonly<Record<T, string>>
    >
  ) => PageContent
}>

const noFields = Type.Object({}, { additionalProperties: false })

/** Returns a view that redirects after the form was accepted. */
const leadOn =
  (then: string | undefined): PageForm['view'] =>
  ({ sent: { data }, back }) =>
    data === undefined ? undefined : { seeOther: then ?? back }

/**
 * Defines a form of a page, which a browser sends without a script to the surface under `sends`. Without a `view`, it
 * redirects to `then`. A refused form is shown on its page again, with what was typed and why it was refused.
 */
export const defineForm = <
  S extends SurfacesRead = None,
  B extends SurfacesRead = None,
  P extends TSchema = TObject<None>,
  F extends TSchema = TObject<None>,
  R extends TSchema = TUndefined,
  N extends string = never,
  const T extends string = never
>({
  params,
  shows,
  besides,
  texts,
  fields,
  limitBytes,
  files,
  toBody,
  title,
  done,
  then,
  reply,
  view
}: FormDefinition<S, B, P, F, R, N, T>): PageForm => {
  const schema = toJsonSchema(fields ?? noFields)
  return omitUndefined<PageForm>({
    form: 'view',
    params: params && toJsonSchema(params),
    shows: toJsonSchemas(shows ?? {}),
    besides: toJsonSchemas(besides ?? {}),
    texts: { ...texts, ...(title === undefined ? {} : { title }), ...(done === undefined ? {} : { done }) },
    body: { schema, limitBytes: limitBytes ?? formBytes(schema), isForm: true },
    files,
    sent: reply && toJsonSchema(reply),
    toBody: toBody ?? (form => form as JsonValue),
    reply: { type: 'string' },
    view: view ?? leadOn(then)
  })
}

/**
 * Defines a page. `view` must be a pure function: a public page is cached while the versions of all surfaces that it
 * asks are the same.
 */
export const definePage = <
  S extends SurfacesRead = None,
  B extends SurfacesRead = None,
  P extends TSchema = TObject<None>,
  Q extends TSchema = TObject<None>,
  const T extends string = never
>({
  params,
  query,
  texts,
  shows,
  besides,
  forms,
  view
}: Definition<S, B, P, Q, T>): Page =>
  omitUndefined<Page>({
    form: 'view',
    params: params && toJsonSchema(params),
    query: query && toJsonSchema(query),
    texts,
    shows: toJsonSchemas(shows ?? {}),
    besides: toJsonSchemas(besides ?? {}),
    forms,
    reply: { type: 'string' },
    view
  })
