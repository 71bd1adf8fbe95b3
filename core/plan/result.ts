import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { Corpus, Entry } from '../corpus/corpus.ts'
import type { MirrorText } from '../handler/handler.ts'
import type { SentFiles } from '../handler/sent-file.ts'
import type { Format } from '../format/index.ts'

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
  /**
   * The entries of a collection answer, for the formats that show a list; `columns`: names of the fields to show in a
   * table.
   */
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
  /** The language to answer in; only for surfaces whose content declares languages. */
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
      version?: ((now: Date) => Promise<string>) | undefined
      answer: (input: PlanInput, request: Request) => Result | Promise<Result>
    }>
