import type { Entry } from '../corpus/corpus.ts'

/** Returns the djb2 hash (XOR variant) over UTF-16 code units, as a non-negative integer. */
function djb2(text: string): number {
  let hash = 5381
  for (let i = 0; i < text.length; i += 1) hash = ((hash << 5) + hash) ^ text.charCodeAt(i)
  return Math.abs(hash)
}

/** Returns the 32-bit FNV-1a hash over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

const hashes = { 'fnv-1a': fnv1a, djb2 }

type Choice = Readonly<{ hash?: keyof typeof hashes; prefix?: string }>

/**
 * Returns a function that gives the JSON text of the entry for a path: the path alone decides, so every caller gets the
 * same; `null` if there are no entries.
 */
export function selectEntry(
  entries: readonly Entry[],
  { hash = 'fnv-1a', prefix = '' }: Choice
): (path: string) => string {
  const texts = entries.map(entry => JSON.stringify(entry))
  return path => texts[hashes[hash](prefix + path) % texts.length] ?? 'null'
}
