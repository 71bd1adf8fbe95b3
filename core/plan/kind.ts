import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { Corpus, Entry, FixedDocument } from '../corpus/corpus.ts'
import type { Observations } from '../discovery/define.ts'
import type { Site } from '../format/format.ts'
import type { Format } from '../format/index.ts'
import type { SurfaceError } from '../handler/errors.ts'
import type { Ask, MirrorText, Reply, SentFiles, SurfaceRequest } from '../handler/handler.ts'
import type { Beside, FormGiven, PageContent, PageGiven, Sent } from '../handler/page.ts'
import type { HandlerShape } from '../manifest/kind.ts'
import type { PathTo, Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Issue } from '../schema/compile.ts'
import type { Registry } from '../registry/registry.ts'
import type { Capability } from '../vocabulary/words.ts'
import type { MaybePromise, PlanRequest } from './request.ts'

/**
 * A request with an idempotency key. `id`: a hash of the key with surface and caller; `digest`: a hash of what is
 * asked; `seconds`: how long its answer is kept.
 */
export type KeyedRequest = Readonly<{ id: string; digest: string; isAnonymous: boolean; seconds: number }>

/**
 * Runs work that answers a request, unless an answer to its key is kept: that is then returned (`isKept`). The answer
 * is kept in one transaction with what the work writes; of work that throws, nothing is kept. Rejects with a
 * SurfaceError if the key came with another request (422), or is being answered (409).
 */
export type AnswerOnce = (
  request: KeyedRequest,
  work: () => Promise<JsonObject>
) => Promise<Readonly<{ answer: JsonObject; isKept: boolean }>>

export type BoundHandler = Readonly<{
  shape: Pick<HandlerShape, 'entries' | 'reply' | 'idempotency'>
  corpora: Readonly<Record<string, Corpus>>
  pathTo: PathTo
  handle: (request: SurfaceRequest) => MaybePromise<Reply>
  /** Absent if no database is open. */
  once?: AnswerOnce | undefined
  /** Returns the version of the data; absent if replies may depend on more than the declared input and that data. */
  version?: Version | undefined
}>

export type BoundDerivation = () => Reply

type Shown = Readonly<{
  shown: Readonly<Record<string, JsonValue>>
  beside: Readonly<Record<string, Beside<JsonValue>>>
}>

type ViewGiven = Omit<PageGiven, keyof Shown | 'pathTo'> & Shown

/**
 * The code of a form: `toBody` makes the JSON body from the fields, and `view` makes a page from what the surface
 * answered; nothing after a refusal stands for the page of the form.
 */
export type BoundForm = Readonly<{
  /** What the page after it says once the form was accepted. */
  done: string | undefined
  toBody: (form: JsonValue, files: SentFiles) => JsonValue
  view: (
    given: ViewGiven & Pick<FormGiven, 'form' | 'back'> & Readonly<{ sent: Sent<JsonValue> }>
  ) => PageContent | undefined
}>

export type BoundView = Readonly<{
  texts: Readonly<Record<string, string>>
  view: (given: ViewGiven) => PageContent
  forms: Readonly<Record<string, BoundForm>>
}>

/** Returns the version of the data that answers depend on beside their input. */
export type Version = (now: Date) => Promise<string>

/** A value to compare a field with, or several. */
export type Wanted = string | number | boolean | readonly (string | number | boolean)[]

/** A condition on a column: an SQL expression with `:field:` for the column and `:wanted` for the value. */
type RowCondition = Readonly<{ field: string; sql: string; wanted: Wanted }>

/** Which rows of a table to read. */
export type RowQuery = Readonly<{
  conditions: readonly RowCondition[]
  /** Words to search, in the syntax of `websearch_to_tsquery`. */
  words?: string | undefined
  columns: readonly string[]
  /** Columns to sort by; `-column` from high to low. The key comes last, unless it is one of them. */
  order: readonly string[]
  /** Where the page before ended: `position` of that page. */
  after?: RowPosition | undefined
  limit: number
}>

/** The values of a row in the columns of an order, as the database writes them as text. */
export type RowPosition = readonly (string | null)[]

/**
 * Reads the rows of one table. Each promise rejects with a SurfaceError: 503 if the database cannot answer in time, or
 * the table is not as its corpus declares; 400 for a value that no column can have.
 */
export type Rows = Readonly<{
  /** Returns rows in order. `position`: where they end, if there are more. */
  list: (query: RowQuery) => Promise<Readonly<{ rows: readonly Entry[]; position: RowPosition | undefined }>>
  /** Counts rows, at most `most` of them. */
  count: (query: Pick<RowQuery, 'conditions' | 'words'>, most?: number) => Promise<number>
  one: (key: string | number, columns: readonly string[]) => Promise<Entry | undefined>
  /**
   * Returns where the next `size` rows after a position end, in order of the key; undefined if no rows follow them. It
   * reads as many entries of an index.
   */
  end: (size: number, after: RowPosition | undefined) => Promise<RowPosition | undefined>
}>

/** All entries of a list, which are sent while they are read. */
export type EntryStream = Readonly<{
  /** Name of the file in which a browser keeps them, without its ending. */
  name: string
  columns: readonly string[]
  /** Rejects with a SurfaceError if they cannot all be sent. */
  check: () => Promise<void>
  /** Reads the entries, some at a time. */
  read: () => AsyncIterable<readonly Entry[]>
}>

export type AskFrom = (request: PlanRequest) => Ask

type AllDependencies = Readonly<{
  documents: ReadonlyMap<string, FixedDocument>
  corpora: ReadonlyMap<string, Corpus>
  tables: (corpus: Corpus) => Rows
  registry: Registry
  observations: (now: Date) => Observations
  handlers: ReadonlyMap<string, BoundHandler>
  derivations: ReadonlyMap<string, BoundDerivation>
  views: ReadonlyMap<string, BoundView>
  site: (tag: string | undefined) => Readonly<{ site: Site; service: Service }>
  service: Service
  ask: AskFrom
  versions: (target: Target) => Version | undefined
}>

export type KindDependencies<C extends Capability = Capability> = Pick<AllDependencies, C>

export type CompiledKind<A = unknown, C extends Capability = Capability> = Readonly<{
  name: string
  reaches: readonly C[]
  /** The type of `given` enforces `reaches`: use of any other capability does not compile. */
  compile: (surface: Surface<A>, given: KindDependencies<C>) => ContentSource<PlanRequest>
}>

export const dependenciesOf = ({ reaches }: CompiledKind, everything: AllDependencies): KindDependencies =>
  // `compile` of the kind uses only what `reaches` lists.
  Object.fromEntries(reaches.map(name => [name, everything[name]])) as KindDependencies

export type AnswerLanguage = Readonly<{
  tag: string
  /** The tag of each language with the query that requests it, the default language first. */
  queries: ReadonlyMap<string, string>
  /**
   * Names of the members that are shown in the default language, because they are not translated, by the key of their
   * entry.
   */
  untranslated: Readonly<Record<string, readonly string[]>>
  /** The languages of the content, for `Content-Language` (RFC 9110 §8.5). */
  content: readonly string[]
}>

/** The content of an answer, before contract, format and headers are applied. */
export type Result = Readonly<{
  status: number
  data: JsonValue
  /** A structural document; `data` is then null. */
  mirror?: MirrorText
  /** Data for the plain-text format, without members that a reader of text does not need. */
  prose?: JsonValue
  error?: Readonly<{ code: string; message: string; details?: JsonObject }>
  /** The entries, for the formats that show a list; `columns`: the members to show in a table. */
  list?: Readonly<{
    entries: readonly Entry[]
    corpus: Pick<Corpus, 'name' | 'title' | 'key' | 'roles' | 'schema'>
    columns: readonly string[]
  }>
  /** What is sent instead of `data` and `list`, in the chosen format. Only of a live source without a version. */
  stream?: EntryStream
  /** Complete bodies by format, as text or as a value for JSON. */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** The complete body, used instead of any format. The text of a binary one holds one byte in each character. */
  file?: Readonly<{ mediaType: string; text: string; isBinary?: boolean }>
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  asOf?: string
  headers?: Readonly<Record<string, string>>
  /** The opaque part of the strong entity tag of its JSON, in place of a weak one made of the content. */
  etag?: string
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
  language?: AnswerLanguage
  /** What was asked in the query without the format, with its `?`; undefined if nothing was. */
  asked?: string | undefined
  /** Of a page: the path of what it shows first, with its query. */
  shows?: string | undefined
  /** The query of the next page, with its `?`; undefined on the last page. */
  next?: string | undefined
  /** The query that asks for all entries as a file, with its `?`. */
  all?: string | undefined
}>

export type PlanInput = Readonly<{
  params: Readonly<Record<string, string | number | boolean>>
  query: Readonly<Record<string, string | number | boolean | undefined>>
  body: JsonValue | undefined
  /** What is wrong with the fields of a form, which its page shows. Any other body that has issues is refused. */
  issues?: readonly Issue[]
  bytes?: Uint8Array
  files?: SentFiles
  /** The chosen language; undefined if the content declares no languages. */
  language?: string
}>

/** The time of an answer, as a Date and as ISO 8601 text. */
export type Moment = Readonly<{ now: Date; time: string }>

/**
 * A `pure` source depends only on its input and, if `daily`, on the UTC day, so its answers are cached. A `slow` source
 * depends only on its input and takes long. A `live` source may answer differently at each call; if it has a `version`,
 * only when the version changes.
 */
export type ContentSource<Request = Moment> =
  | Readonly<{
      when: 'pure'
      daily?: boolean
      /** If true, no input is read; the query is only searched for what the surface refuses. */
      ignoresInput?: boolean
      answer: (input: PlanInput, moment: Moment) => Result
    }>
  | Readonly<{ when: 'slow'; answer: (input: PlanInput) => Promise<Result> }>
  | Readonly<{
      when: 'live'
      version?: Version | undefined
      /**
       * Returns the answer to a body that cannot be read or does not fit its schema; undefined for that of the service.
       * Only of a source without a version.
       */
      refused?: (error: SurfaceError, request: Request) => Result | undefined
      answer: (input: PlanInput, request: Request) => MaybePromise<Result>
    }>
