const slots = 131_072

/** FNV-1a, 32 bits, over code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/**
 * Whether a text was asked about before, not too long ago: so that what is asked for once, as a crawler does, takes no
 * place from what is asked for often. It may forget, and once in four billion times it may be wrong.
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
