const slots = 131_072

/** Returns the 32-bit FNV-1a hash of a text, over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/**
 * Returns a function that tells whether it was called with the same text before, not too long ago. With it, answers
 * that are requested once, as by a crawler, are kept out of the cache. It may forget a text, and once in four billion
 * times it may be wrong.
 */
export function createAskedBefore(): (text: string) => boolean {
  const seen = new Int32Array(slots)
  return text => {
    const hash = hashOf(text)
    const slot = hash & (slots - 1)
    const known = seen[slot] === hash
    seen[slot] = hash
    return known
  }
}
