import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { Corpus, Entry, FixedDocument } from '../corpus/corpus.ts'
import type { Observations } from '../discovery/define.ts'
import type { Site } from '../format/format.ts'
import type { Format } from '../format/index.ts'
import type { Ask, MirrorText, Reply, SentFiles, SurfaceRequest } from '../handler/handler.ts'
import type { Beside, FormGiven, PageContent, PageGiven, Sent } from '../handler/page.ts'
import type { HandlerShape } from '../manifest/kind.ts'
import type { PathTo, Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { Capability } from '../vocabulary/words.ts'
import type { MaybePromise, PlanRequest } from './request.ts'

/** A handler bound to the services of its root, to the corpora that it declares and to the paths of the registry. */
export type BoundHandler = Readonly<{
  shape: Pick<HandlerShape, 'entries' | 'reply'>
  corpora: Readonly<Record<string, Corpus>>
  pathTo: PathTo
  handle: (request: SurfaceRequest) => MaybePromise<Reply>
  /** Absent if replies may depend on more than the declared input and the data of this version. */
  version?: Version | undefined
}>

/** Returns the reply of a derivation (code that answers once). */
export type BoundDerivation = () => Reply

type Shown = Readonly<{
  shown: Readonly<Record<string, JsonValue>>
  beside: Readonly<Record<string, Beside<JsonValue>>>
}>

type ViewGiven = Omit<PageGiven, keyof Shown | 'pathTo'> & Shown

/** A form: `toBody` makes a JSON body of its fields, and `view` a page of what the surface answered. */
export type BoundForm = Readonly<{
  toBody: (form: JsonValue, files: SentFiles) => JsonValue
  view: (given: ViewGiven & Pick<FormGiven, 'form' | 'back'> & Readonly<{ sent: Sent<JsonValue> }>) => PageContent
}>

/** The view of a page, and its forms by name. */
export type BoundView = Readonly<{
  view: (given: ViewGiven) => PageContent
  forms: Readonly<Record<string, BoundForm>>
}>

/** Returns the version of the data that the answers of a surface depend on beside their input. */
export type Version = (now: Date) => Promise<string>

/** Returns, for a request, the function by which its handler asks other surfaces. */
export type AskFrom = (request: PlanRequest) => Ask

type Everything = Readonly<{
  documents: ReadonlyMap<string, FixedDocument>
  corpora: ReadonlyMap<string, Corpus>
  registry: Registry
  observations: (now: Date) => Observations
  handlers: ReadonlyMap<string, BoundHandler>
  derivations: ReadonlyMap<string, BoundDerivation>
  views: ReadonlyMap<string, BoundView>
  site: Site
  service: Service
  ask: AskFrom
  versions: (target: Target) => Version | undefined
}>

/** What a kind with the capabilities `C` is given. */
export type Given<C extends Capability = Capability> = Pick<Everything, C>

/** The part of a kind that compiles surfaces. */
export type CompiledKind<A = unknown, C extends Capability = Capability> = Readonly<{
  name: string
  reaches: readonly C[]
  /** The type of `given` enforces `reaches`: anything else does not compile. */
  compile: (surface: Surface<A>, given: Given<C>) => ContentSource<PlanRequest>
}>

/** Picks what a kind may use, as its `reaches` lists it. */
export const givenTo = ({ reaches }: CompiledKind, everything: Everything): Given =>
  // The object is partial on purpose: `compile` of the kind uses only what `reaches` lists.
  Object.fromEntries(reaches.map(name => [name, everything[name]])) as Given

/** The language of an answer, and the parts that are not translated. */
export type AnswerLanguage = Readonly<{
  tag: string
  /** Every available language, the default first, each with the query that requests it. */
  queries: ReadonlyMap<string, string>
  /** Names of the members that are not translated and so in the default language, by the key of their entry. */
  untranslated: Readonly<Record<string, readonly string[]>>
  /** Languages of the shown content, for `Content-Language` (RFC 9110 §8.5). */
  content: readonly string[]
}>

/** What a source returns: the content of an answer, before contract, format and headers are applied. */
export type Result = Readonly<{
  status: number
  data: JsonValue
  /** The text of a structural document; `data` is then null. */
  mirror?: MirrorText
  /** Data for the plain-text format, where `data` has members that a reader of text does not need. */
  prose?: JsonValue
  error?: Readonly<{ code: string; message: string; details?: JsonObject }>
  /** The entries of a collection answer, for the formats that show a list; `columns`: the fields to show in a table. */
  list?: Readonly<{ entries: readonly Entry[]; corpus: Corpus; columns: readonly string[] }>
  /** Whole bodies that only this document has, by format, as JSON or as text. */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** The whole body and its media type, used instead of any format. */
  file?: Readonly<{ mediaType: string; text: string }>
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  asOf?: string
  headers?: Readonly<Record<string, string>>
  /** Cookies to set: values of `Set-Cookie`. */
  cookies?: readonly string[]
  /** The language of the content, where its corpus declares languages. */
  language?: AnswerLanguage
  /** Query of the next page, with its `?`; absent on the last page. */
  next?: string | undefined
}>

/** The checked input of one request. */
export type PlanInput = Readonly<{
  params: Readonly<Record<string, string | number | boolean>>
  query: Readonly<Record<string, string | number | boolean | undefined>>
  body: JsonValue | undefined
  bytes?: Uint8Array
  files?: SentFiles
  /** Only for surfaces whose content declares languages. */
  language?: string
}>

/** The time of an answer, as a Date and as ISO 8601 text. */
export type Moment = Readonly<{ now: Date; time: string }>

/**
 * The source of a surface's content. A `pure` source depends only on its input and, if `daily`, on the UTC day, so its
 * answers are cached. A `slow` source depends only on its input and takes long, so it is computed in slices. A `live`
 * source may answer differently at each call; if it has a `version`, only when the version changes.
 */
export type ContentSource<Request = Moment> =
  | Readonly<{
      when: 'pure'
      /** True if the answer changes each UTC day. */
      daily?: boolean
      /** True if the answer is the same for every request: no input is read or checked. */
      ignoresInput?: boolean
      answer: (input: PlanInput, moment: Moment) => Result
    }>
  | Readonly<{ when: 'slow'; answer: (input: PlanInput) => Promise<Result> }>
  | Readonly<{
      when: 'live'
      version?: Version | undefined
      answer: (input: PlanInput, request: Request) => MaybePromise<Result>
    }>
