import { hash } from 'node:crypto'

/**
 * Returns a weak entity tag (RFC 9110 §8.8.3): a hash of `seed`, the text that identifies the stable content of a
 * representation.
 */
export function weakEtag(seed: string): string {
  return `W/"${hash('sha256', seed, 'hex').slice(0, 32)}"`
}

const opaque = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag)

// One member of the list, with the comma after it (RFC 9110 §5.6.1, §8.8.3). Members may be empty: a recipient skips
// them.
const member = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * Tells whether an If-None-Match field matches an entity tag by weak comparison (RFC 9110 §13.1.2); the response is
 * then 304. `*` matches every tag. In a malformed field only the tags before the mistake count; the function never
 * throws.
 */
export function matchesIfNoneMatch(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true
  const wanted = opaque(etag)
  for (let at = 0; at < header.length;) {
    member.lastIndex = at
    const found = member.exec(header)
    if (found === null) return false
    if (found[1] === wanted) return true
    at = member.lastIndex
  }
  return false
}
