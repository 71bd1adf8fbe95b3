import type { Readable } from 'node:stream'
import type { Caller, Counted } from '../access/access.ts'
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

/** The bytes of `application/x-www-form-urlencoded`, or the parts of `multipart/form-data`. */
export type SentForm = Readonly<{ pairs: Uint8Array } | { parts: readonly FormPart[] }>

/**
 * Functions that read a body of at most `limitBytes` bytes. They reject with a SurfaceError: 413, 415, 400 for invalid
 * content, and 503 if a middleware has kept no bytes of the body.
 */
export type BodyReaders = Readonly<{
  /** Reads strict JSON. */
  readBody: (limitBytes: number) => Promise<JsonValue>
  readBytes: (limitBytes: number) => Promise<Uint8Array>
  /**
   * `opens` is called with the header of each part before its content is read, and returns the maximum bytes of the
   * part; if it throws, reading ends with that error.
   */
  readForm: (limitBytes: number, opens: (head: PartHead) => number) => Promise<SentForm>
}>

/**
 * Tells code whether somebody still waits for its answer. `watch` is called at the first look at `signal`, with what to
 * call when the client has gone.
 */
export class Waiting {
  readonly #watch: ((left: () => void) => void) | undefined
  #controller: AbortController | undefined
  #reason: Error | undefined

  constructor(watch?: (left: () => void) => void) {
    this.#watch = watch
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal
    const controller = (this.#controller = new AbortController())
    if (this.#reason === undefined)
      this.#watch?.(() => {
        this.end(new Error('The client has gone.'))
      })
    else controller.abort(this.#reason)
    return controller.signal
  }

  /** Aborts the signal, also one that is looked at later. */
  end(reason: Error): void {
    this.#reason ??= reason
    this.#controller?.abort(this.#reason)
  }

  /** Returns what a request that is made for this one waits for: it ends with this one, but not the other way. */
  inner(): Waiting {
    return new Waiting(left => {
      if (this.signal.aborted) left()
      else this.signal.addEventListener('abort', left, { once: true })
    })
  }
}

/** A request as plans see it. */
export type PlanRequest = BodyReaders &
  Readonly<{
    method: string
    /** The path as received, without the query. */
    path: string
    /** The query as received, without the question mark. */
    search: string
    params: Readonly<Record<string, string>>
    headers: Readonly<Record<string, string | readonly string[] | undefined>>
    requestId: string
    /** When the request arrived; `time` is the same as ISO 8601 text with milliseconds. */
    now: Date
    time: string
    rate: RateState
    /** Counts a request that writes, of a caller without a credential, where the service enforces a limit for them. */
    countWrite?: () => Counted
    /**
     * The caller; anonymous until the gate has identified it. A request that a surface makes begins with the caller of
     * the request that the surface answers.
     */
    caller: Caller
    callerHash: () => string
    waiting: Waiting
    /** Number of surfaces that asked each other before this request; undefined for a request from outside. */
    depth?: number
    /** The language of the page that asks; undefined for a request from outside. */
    language?: string | undefined
  }>

/**
 * The text of a body, cut where the time and the request id go; a text of one piece contains neither. A structural
 * document (`mirror`) is cut where its time and its own hash go. `etag` covers the content that does not change with
 * the request (RFC 9110 §8.8.3).
 */
export type BodyText = CutText | Readonly<{ mediaType: string; etag: () => string; mirror: MirrorText }>
export type CutText = Readonly<{
  mediaType: string
  etag: () => string
  pieces: readonly [string] | readonly [beforeTime: string, beforeId: string, end: string]
  /** Whether each character of the one piece is a byte of a binary file, which no coding makes smaller. */
  isBinary?: boolean
}>

export type Answer = Readonly<{
  status: number
  /** The header fields, each with its line end, without `Date` and the fields of the connection. */
  head: string
  closes?: true
  body: string | Buffer
  /** A `latin1` string holds one byte in each character. */
  encoding: 'latin1' | 'utf8'
  /**
   * The body of an answer whose length is not known, in place of `body`, which is then empty; an answer to HEAD has an
   * empty one. Whoever does not send it must destroy it.
   */
  stream?: Readable
}>

/** The stages through which an answer may go; one from the cache, for example, skips `content`. */
export const stages = ['access', 'input', 'format', 'language', 'version', 'content', 'body', 'head'] as const
export type Stage = (typeof stages)[number]

/** Observes the stages of answers, for `pantry trace` and for the explorer in development. */
export type Tracer = Readonly<{
  stage: <Given extends unknown[], Outcome>(
    surface: Surface,
    stage: Stage,
    run: (...given: Given) => Outcome
  ) => (...given: Given) => Outcome
  /**
   * Runs `ask` and records its stages; `passed` is complete once the answer is there. Inside another `during` it stays
   * empty.
   */
  during: <Outcome>(ask: () => Outcome) => Readonly<{ outcome: Outcome; passed: readonly Passed[] }>
}>

const none: readonly Passed[] = Object.freeze([])

export const noopTracer: Tracer = {
  stage: (_surface, _stage, run) => run,
  during: ask => ({ outcome: ask(), passed: none })
}
