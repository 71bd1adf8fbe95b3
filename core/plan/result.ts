import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { Corpus, Entry } from '../corpus/corpus.ts'
import type { MirrorText } from '../handler/handler.ts'
import type { SentFiles } from '../handler/sent-file.ts'
import type { Format } from '../format/index.ts'

/** In which language an answer is, and what of it is not. */
export type AnswerLanguage = Readonly<{
  tag: string
  /** Every language that can be asked for, the default first, each with the query that asks for it. */
  queries: ReadonlyMap<string, string>
  /** Members in the default language by the key of their entry, because they are not translated. */
  untranslated: Readonly<Record<string, readonly string[]>>
  /** Languages that the shown content is in: `Content-Language` (RFC 9110 §8.5). */
  content: readonly string[]
}>

/** What a source found: the content of an answer before contract, format and headers. */
export type Result = Readonly<{
  status: number
  data: JsonValue
  /** Structural documents are text already; `data` is then null. */
  mirror?: MirrorText
  /** What plain text says instead of `data`, where that holds more than is read out. */
  prose?: JsonValue
  error?: Readonly<{ code: string; message: string; details?: JsonObject }>
  /**
   * The entries behind a collection answer, for the formats that show a list; `columns`: the names of the fields to
   * show in a table.
   */
  list?: Readonly<{ entries: readonly Entry[]; corpus: Corpus; columns: readonly string[] }>
  /** Forms that only this document has: whole bodies by format, as JSON or as text. */
  renderings?: Readonly<Partial<Record<Format, () => JsonValue>>>
  /** Instead of any format: the whole body as it is, and its media type. */
  file?: Readonly<{ mediaType: string; text: string }>
  sources?: readonly string[]
  sourceLicense?: readonly string[]
  asOf?: string
  headers?: Readonly<Record<string, string>>
  /** What a browser is to keep: values of `Set-Cookie`. */
  cookies?: readonly string[]
  /** The language of the content, where its corpus declares languages. */
  language?: AnswerLanguage
  /** Query of the next page, with its `?`; absent on the last one. */
  next?: string | undefined
}>

/** Checked input of one request. */
export type PlanInput = Readonly<{
  params: Readonly<Record<string, string | number | boolean>>
  query: Readonly<Record<string, string | number | boolean | undefined>>
  body: JsonValue | undefined
  bytes?: Uint8Array
  files?: SentFiles
  /** The declared language to answer in: only for surfaces whose content has languages. */
  language?: string
}>

/** The moment of an answer. */
export type Moment = Readonly<{ now: Date; time: string }>

/**
 * Where the content of a surface comes from. A `pure` source depends on its input and the UTC day alone, so its answers
 * may be kept; a `slow` one depends on its input alone and takes long, so it is made in slices; a `live` source may
 * give another answer at each call, or where it has a version, for another version.
 */
export type ContentSource<Request = Moment> =
  | Readonly<{
      when: 'pure'
      /** True when the answer is another one each UTC day. */
      daily?: boolean
      /** True when the answer is the same whatever is asked: nothing of a request is read or checked. */
      ignoresInput?: boolean
      answer: (input: PlanInput, moment: Moment) => Result
    }>
  | Readonly<{ when: 'slow'; answer: (input: PlanInput) => Promise<Result> }>
  | Readonly<{
      when: 'live'
      version?: ((now: Date) => Promise<string>) | undefined
      answer: (input: PlanInput, request: Request) => Result | Promise<Result>
    }>
