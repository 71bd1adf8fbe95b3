import type { VNode } from 'preact'
import type { Static, TObject, TSchema } from 'typebox'
import type { DataOf } from '../manifest/data-of.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { PathTo } from '../manifest/path-to.ts'
import type { Service } from '../manifest/service.ts'
import type { None } from './handler.ts'
import { plain } from './plain-schema.ts'

/** What is read of other surfaces: for each, by its name, the schema of its data. Members that it does not name are not read. */
type SurfacesRead = Readonly<Record<string, TSchema>>

/** What a surface answered that a page can do without: its data, or why there is none. */
export type Beside<Data = unknown> = Readonly<{ status: number, path: string, data: Data | undefined, reason: string }>

/** What a view is made of: nothing else, so that a page can never disagree with what it shows. */
export type PageGiven<Shows = unknown, Besides = unknown, Params = unknown, Query = unknown> = Readonly<{
  /** The data of each surface that the page shows, by name. */
  shown: Shows
  beside: Besides
  params: Params
  query: Query
  /** The concrete path, percent-encoded, without the query. */
  path: string
  service: Service
  pathTo: PathTo
}>

/** A page before it is written. `scripts`: names of the served scripts that it works better with; it works without. */
export type PageContent = Readonly<{ title: string, description?: string, main: VNode, scripts?: readonly string[] }>

/** The code of a page. `view` is a method, so that what it takes may be narrower than any page. */
export type Page = HandlerShape & Readonly<{
  form: 'view'
  shows: NonNullable<HandlerShape['shows']>
  besides: NonNullable<HandlerShape['besides']>
  view (given: PageGiven): PageContent
}>

type Definition<S extends SurfacesRead, B extends SurfacesRead, P extends TSchema, Q extends TSchema> = Readonly<{
  params?: P
  query?: Q
  /** What `view` reads of each surface that the manifest names under `shows`. */
  shows?: S
  /** The same of those that the manifest names under `besides`. */
  besides?: B
  view: (given: PageGiven<
    { readonly [Name in keyof S]: DataOf<S[Name]> }, { readonly [Name in keyof B]: Beside<DataOf<B[Name]>> }, Static<P>, Static<Q>
  >) => PageContent
}>

const plainAll = (schemas: SurfacesRead): Record<string, ReturnType<typeof plain>> => Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]))

/** Writes the view of a page. It is a pure function of what it is given: pages are kept for as long as what they show is the same. */
export const definePage = <S extends SurfacesRead = None, B extends SurfacesRead = None, P extends TSchema = TObject<None>, Q extends TSchema = TObject<None>>(
  { params, query, shows, besides, view }: Definition<S, B, P, Q>
): Page => ({
    form: 'view',
    ...(params === undefined ? {} : { params: plain(params) }),
    ...(query === undefined ? {} : { query: plain(query) }),
    shows: plainAll(shows ?? {}),
    besides: plainAll(besides ?? {}),
    reply: { type: 'string' },
    view
  })
