import { createHash } from 'node:crypto'
import { hashCanonical, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { invalid, SurfaceError, unavailable } from '../handler/errors.ts'
import type { SentFiles } from '../handler/handler.ts'
import type { Surface } from '../manifest/surface.ts'
import { exactText, ReplyFault } from './exact.ts'
import type { AnswerOnce, KeyedRequest, PlanInput, Result } from './kind.ts'
import type { MaybePromise, PlanRequest } from './request.ts'

const field = 'Idempotency-Key'

/** A String of structured fields (RFC 9651 §3.3.3) without parameters, as the draft of the header wants it. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/
/** What many clients send, although the draft does not know it: the characters of a UUID, and a few more. */
const bare = /^[\w.:-]+$/
const mostCharacters = 255

/** Returns the key in the header; undefined if there is none. 400 for another form. */
function readKey({ headers }: PlanRequest): string | undefined {
  const sent = headers['idempotency-key']
  if (sent === undefined) return undefined
  const text = typeof sent === 'string' ? sent : ''
  const key = bare.test(text) ? text : quoted.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
  if (key !== undefined && key.length <= mostCharacters) return key
  throw invalid(
    field,
    `\`${field}\` is one text of 1 to ${mostCharacters} characters in quotation marks, such as \`"8e03978e-40d5-43dd-bc93-6894a57f9324"\`. Without them it has letters, digits, and \`.\`, \`:\`, \`_\`, \`-\`.`
  )
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const filesOf = (files: SentFiles): JsonObject =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) =>
      file === undefined ? [] : [[name, [file.name, file.type, hashOf(file.bytes)]]]
    )
  )

/** Returns the hash of what a request asks for: method, path, query and body, as the surface has read them. */
const digestOf = ({ query, body = null, bytes, files = {} }: PlanInput, { method, path }: PlanRequest): string =>
  hashCanonical({
    method,
    path,
    query: query as JsonObject,
    body,
    bytes: bytes === undefined ? null : hashOf(bytes),
    files: filesOf(files)
  })

/** Returns what is kept of an answer. A key is for programs: there are no cookies, and no bodies of other formats. */
function keptOf(surface: string, result: Result, time: string): JsonObject {
  const { renderings, file, stream, cookies, ...kept } = result
  if ((renderings ?? file ?? stream ?? cookies) !== undefined)
    throw new ReplyFault(
      `The surface \`${surface}\` answers once for each \`${field}\`, so its reply has no \`renderings\` and no \`cookies\`.`
    )
  return JSON.parse(exactText(surface, { asOf: time, ...kept })) as JsonObject
}

/** Answers a request once, or as any other if it has no key. */
type Once = (input: PlanInput, request: PlanRequest, answer: () => MaybePromise<Result>) => MaybePromise<Result>

/**
 * Compiles how a surface answers requests other than GET once for each key. An answer that is kept is private to the
 * caller: the key of one caller is nothing to another. Those of all anonymous callers are together. A request that
 * another surface makes has no key, because it is a part of a request that may have one.
 */
export function compileOnce({ id, idempotency }: Surface, once: AnswerOnce | undefined): Once {
  if (idempotency === undefined) return (_input, _request, answer) => answer()
  const seconds = (idempotency.hours ?? 24) * 3600

  const keyedOf = (key: string, input: PlanInput, request: PlanRequest): KeyedRequest => {
    const { credential, id: caller } = request.caller
    const owner: JsonValue = credential === undefined ? null : [credential, caller ?? null]
    return {
      id: hashCanonical([id, owner, key]),
      digest: digestOf(input, request),
      isAnonymous: credential === undefined,
      seconds
    }
  }

  async function answerOnce(keyed: KeyedRequest, request: PlanRequest, answer: () => MaybePromise<Result>) {
    if (once === undefined) throw unavailable('The database is not open.', 1, { subsystem: 'database' })
    const { answer: kept, isKept } = await once(keyed, async () => {
      // The request may have waited for others.
      request.waiting.signal.throwIfAborted()
      return keptOf(id, await answer(), request.time)
    })
    const result = kept as JsonObject & Result
    return isKept ? { ...result, headers: { ...result.headers, 'Idempotent-Replayed': 'true' } } : result
  }

  return (input, request, answer) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.depth !== undefined) return answer()
    const key = readKey(request)
    if (key !== undefined) return answerOnce(keyedOf(key, input, request), request, answer)
    if (idempotency.key === 'optional') return answer()
    throw new SurfaceError(
      'MISSING_PARAM',
      `This surface needs the header \`${field}\`: a new random text for each request, and the same one when it is sent again.`,
      { details: { in: 'header', field } }
    )
  }
}
