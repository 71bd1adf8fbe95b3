import type { Entry } from '../corpus/corpus.ts'

/** djb2 with XOR over UTF-16 code units, as a non-negative integer. */
function djb2 (text: string): number {
  let hash = 5381
  for (let i = 0; i < text.length; i += 1) hash = ((hash << 5) + hash) ^ text.charCodeAt(i)
  return Math.abs(hash)
}

/** FNV-1a, 32 bit, over UTF-16 code units. */
function fnv1a (text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** JSON text of the entry that belongs to an endpoint: the same for every caller, chosen by the path alone. */
export type Selection = (endpoint: string) => string

const among = (entries: readonly Entry[] | undefined, hash: (endpoint: string) => number): Selection => {
  const texts = (entries ?? []).map(entry => JSON.stringify(entry))
  if (texts.length === 0) return () => 'null'
  return endpoint => texts[hash(endpoint) % texts.length] ?? 'null'
}

export const selectFragment = (entries: readonly Entry[] | undefined): Selection => among(entries, djb2)
export const selectPointer = (entries: readonly Entry[] | undefined): Selection => among(entries, endpoint => fnv1a(`joy:${endpoint}`))
