import { SurfaceError } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import { ReplyFault } from './exact.ts'
import type { PlanRequest } from './request.ts'
import { matchesIfNoneMatch } from './write.ts'

// One strong tag of a list, or a weak one, which never matches (RFC 9110 §8.8.3.2), with the comma after it.
const member = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/** Tells whether an If-Match field matches a strong entity tag by strong comparison (RFC 9110 §13.1.1). */
export function matchesIfMatch(header: string, etag: string): boolean {
  for (let at = 0; at < header.length;) {
    member.lastIndex = at
    const found = member.exec(header)
    if (found === null) return false
    if (found[1] === undefined && found[2] === etag) return true
    at = member.lastIndex
  }
  return false
}

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value?.trim()

const failed = (field: string, message: string): SurfaceError =>
  new SurfaceError('PRECONDITION_FAILED', message, { details: { in: 'header', field } })

const changed = failed(
  'If-Match',
  'This is no longer as `If-Match` says: nothing was done. Read it again, with its `ETag`.'
)
const gone = failed('If-Match', 'There is nothing here that `If-Match` could mean: nothing was done.')
const present = failed('If-None-Match', 'What `If-None-Match` rules out is here already: nothing was done.')

/** What a request asks of the state of a thing. */
type Precondition = Readonly<{
  /** Throws a 412 if the thing has another tag than the request wants; undefined for a thing that does not exist. */
  requireMatch: (etag: string | undefined) => void
  /** Throws a ReplyFault if the handler has not called `requireMatch`. */
  requireUse: () => void
}>

/**
 * Compiles the preconditions of requests other than GET (RFC 9110 §13.2.2): 428 for one that needs a precondition and
 * has none (RFC 6585 §3). A request that another surface makes needs none.
 */
export function compilePrecondition({ id, precondition }: Surface): (request: PlanRequest) => Precondition {
  if (precondition === undefined) {
    const requireMatch = (): never => {
      throw new Error(`\`${id}\` calls \`requireMatch\`, so it declares \`precondition\`.`)
    }
    const none: Precondition = { requireMatch, requireUse: () => undefined }
    return () => none
  }
  return ({ method, headers, depth }) => {
    const [wanted, unwanted] = [textOf(headers['if-match']), textOf(headers['if-none-match'])]
    const changes = method !== 'GET' && method !== 'HEAD'
    if (changes && precondition === 'required' && depth === undefined && (wanted ?? unwanted) === undefined)
      throw new SurfaceError(
        'PRECONDITION_REQUIRED',
        'This needs the header `If-Match` with the `ETag` of what you have read, or `If-None-Match: *` to make what is not there yet.',
        { details: { in: 'header', field: 'If-Match' } }
      )
    let isUsed = !changes
    return {
      requireMatch: etag => {
        isUsed = true
        if (wanted !== undefined && etag === undefined) throw gone
        if (wanted !== undefined && wanted !== '*' && !matchesIfMatch(wanted, `"${etag ?? ''}"`)) throw changed
        if (unwanted !== undefined && etag !== undefined && matchesIfNoneMatch(unwanted, `"${etag}"`)) throw present
      },
      requireUse: () => {
        if (!isUsed) throw new ReplyFault(`\`${id}\` declares \`precondition\` and has not called \`requireMatch\`.`)
      }
    }
  }
}
