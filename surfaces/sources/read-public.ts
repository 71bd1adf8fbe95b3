import { safeFetch, type OutgoingAnswer, type Reach } from 'pantry/data'

/** The limits of one reading. */
type FetchBounds = Readonly<{
  /** The time limit for the whole exchange, from the name lookup to the last byte. */
  timeoutMs: number
  maxBytes: number
  /** The accepted media types, separated by commas. */
  accept: string
}>

/** The result of a reading. `unusable`: the response is too long, compressed, of another media type or not UTF-8. */
export type FetchResult = Readonly<
  | { state: 'read'; text: string }
  | { state: 'timeout' }
  | { state: 'failed' }
  | { state: 'status'; status: number }
  | { state: 'unusable' }
>

/** Returns the text of an answer of one of the media types. */
function textOf({ headers, bytes }: Extract<OutgoingAnswer, { state: 'answered' }>, accept: string): FetchResult {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if ((headers['content-encoding'] ?? 'identity') !== 'identity' || !accept.split(', ').includes(type))
    return { state: 'unusable' }
  try {
    return { state: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { state: 'unusable' }
  }
}

/**
 * Reads the body of a GET response from an outside server, as `safeFetch` asks it. All statuses except 200, such as
 * those of redirects, are returned as the status. Never rejects.
 */
export async function fetchPublic(
  address: string,
  { timeoutMs, maxBytes, accept }: FetchBounds,
  reach?: Reach
): Promise<FetchResult> {
  const answer = await safeFetch(address, { timeoutMs, maxBytes, headers: { accept } }, reach)
  switch (answer.state) {
    case 'answered':
      return answer.status === 200 ? textOf(answer, accept) : { state: 'status', status: answer.status }
    case 'too-large':
      return answer.status === 200 ? { state: 'unusable' } : { state: 'status', status: answer.status }
    case 'timeout':
      return { state: 'timeout' }
    case 'refused':
    case 'failed':
      return { state: 'failed' }
  }
}
