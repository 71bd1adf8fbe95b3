import type { Caller } from '../access/access.ts'
import type { JsonValue } from '../canonical/json.ts'
import type { RateState } from '../handler/errors.ts'
import type { MirrorText, Passed } from '../handler/handler.ts'
import type { Surface } from '../manifest/surface.ts'

export type MaybePromise<T> = T | Promise<T>

/** Calls `next` with a value: at once, or when its promise resolves. */
export const andThen = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)

/** The header of a part of a multipart form (RFC 7578 §4). Each character of its strings is one byte. */
export type PartHead = Readonly<{ name: string; fileName: string | undefined; type: string }>

export type FormPart = PartHead & Readonly<{ bytes: Uint8Array }>

/** A form as it was sent: the bytes of `application/x-www-form-urlencoded`, or the parts of `multipart/form-data`. */
export type SentForm = Readonly<{ pairs: Uint8Array } | { parts: readonly FormPart[] }>

/** The functions that read a request's body, of at most `limitBytes` bytes. They reject with a SurfaceError. */
export type BodyReaders = Readonly<{
  /** Reads strict JSON; rejects with 400, 413 or 415. */
  readBody: (limitBytes: number) => Promise<JsonValue>
  /** Reads the bytes of any media type; rejects with 413 or 415. */
  readBytes: (limitBytes: number) => Promise<Uint8Array>
  /**
   * Reads a form; rejects as `readBytes` does. `opens` is called with the header of each part before its content is
   * read, and returns the maximum bytes of the part; if it throws, reading ends with that error.
   */
  readForm: (limitBytes: number, opens: (head: PartHead) => number) => Promise<SentForm>
}>

/** A request as plans see it. */
export type PlanRequest = BodyReaders &
  Readonly<{
    method: string
    /** Path as received, without the query. */
    path: string
    /** Query as received, without the question mark. */
    search: string
    /** Decoded values of the placeholders. */
    params: Readonly<Record<string, string>>
    headers: Readonly<Record<string, string | readonly string[] | undefined>>
    requestId: string
    /** Time of the answer; `time` is the same as ISO 8601 text with milliseconds. */
    now: Date
    time: string
    rate: RateState
    /** Anonymous until the gate has identified the caller; a request between surfaces has the caller of the first. */
    caller: Caller
    /** Salted hash of the caller's address. */
    callerHash: () => string
    /** Number of surfaces that this request came through; absent for a request from outside. */
    depth?: number
  }>

/**
 * The text of an answer, cut where the time and the request id go; a text of one piece has neither. A structural
 * document (`mirror`) is cut where its time and its own hash go. `etag` covers the stable content (RFC 9110 §8.8.3).
 */
export type BodyText = CutText | Readonly<{ mediaType: string; etag: () => string; mirror: MirrorText }>
export type CutText = Readonly<{
  mediaType: string
  etag: () => string
  pieces: readonly [string] | readonly [beforeTime: string, beforeId: string, end: string]
}>

/** A response ready to be written to the connection. */
export type Answer = Readonly<{
  status: number
  /** Header fields as they are sent, each with its line end; without `Date` and the fields of the connection. */
  head: string
  /** True if the connection must be closed after this answer. */
  closes?: true
  body: string | Buffer
  /** Encoding of a string body; a `latin1` string holds one byte in each character. */
  encoding: 'latin1' | 'utf8'
}>

/** The stages between a request and its answer, in order. */
export const stages = ['access', 'input', 'format', 'language', 'version', 'content', 'body', 'head'] as const
export type Stage = (typeof stages)[number]

/** Observes the stages of answers, for `pantry trace` and for the explorer in development. */
export type Watch = Readonly<{
  /** Wraps the function that does the work of a stage. */
  stage: <Given extends unknown[], Outcome>(
    surface: Surface,
    stage: Stage,
    run: (...given: Given) => Outcome
  ) => (...given: Given) => Outcome
  /** Runs `ask` and lists the stages that it passes; the list is complete once the answer is there. */
  during: <Outcome>(ask: () => Outcome) => Readonly<{ outcome: Outcome; passed: readonly Passed[] }>
}>

const none: readonly Passed[] = Object.freeze([])

export const unwatched: Watch = {
  stage: (_surface, _stage, run) => run,
  during: ask => ({ outcome: ask(), passed: none })
}
