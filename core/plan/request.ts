import type { Caller } from '../access/access.ts'
import type { JsonValue } from '../canonical/json.ts'
import type { RateState } from '../handler/errors.ts'

/** What the head of a part says (RFC 7578 §4): each character of its texts is a byte. */
export type PartHead = Readonly<{ name: string; fileName: string | undefined; type: string }>

/** A form as it was sent: the text of `application/x-www-form-urlencoded`, or the parts of `multipart/form-data`. */
export type SentForm = Readonly<
  { pairs: Uint8Array } | { parts: readonly (PartHead & Readonly<{ bytes: Uint8Array }>)[] }
>

/** What a plan may ask of the connection it answers. The HTTP layer makes one for each request. */
export type PlanRequest = Readonly<{
  method: string
  /** Path as received, without the query. */
  path: string
  /** Query as received, without the question mark. */
  search: string
  /** Decoded values of the placeholders. */
  params: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  requestId: string
  /** Time of the answer, and the same moment as ISO 8601 text with milliseconds. */
  now: Date
  time: string
  rate: RateState
  /** Who asks; anonymous until a surface that is not open to everyone has asked, and for what that surface asks. */
  caller: Caller
  /** Salted hash of the caller's address. */
  callerHash: () => string
  /** How many surfaces are between the caller and this request; absent for a request from outside. */
  depth?: number
  /**
   * The body as strict JSON; rejects with a SurfaceError (400, 413, 415). Never called for a surface that declares no
   * body.
   */
  readBody: (limitBytes: number) => Promise<JsonValue>
  /**
   * The bytes of the body, whatever they are; rejects with a SurfaceError (413, 415). Never called for a surface that
   * declares none.
   */
  readBytes: (limitBytes: number) => Promise<Uint8Array>
  /**
   * The body as a form, of at most so many bytes; rejects as `readBytes` does. `opens` is called with the head of each
   * part before its content is read, and returns the most bytes of it; what it throws ends the reading.
   */
  readForm: (limitBytes: number, opens: (head: PartHead) => number) => Promise<SentForm>
}>

/** An answer ready to be written. */
export type Answer = Readonly<{
  status: number
  /** Header fields as they are sent, each with its line end; without those of the connection and `Date`. */
  head: string
  /** True where nothing more can be asked on the connection. */
  closes?: true
  body: string | Buffer
  /** How a string body is written; `latin1` strings hold one byte in each character. */
  encoding: 'latin1' | 'utf8'
}>
