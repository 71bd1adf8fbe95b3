import { LRUCache } from 'lru-cache'
import { createAskedBefore } from './asked-before.ts'

/**
 * A cache of values that are costly to make. `bytes` is the size of a value without its key; setting a key again
 * replaces its size. Values with a key of more than 512 characters, or larger than an eighth of the budget, are not
 * cached.
 */
type Memo<T> = Readonly<{
  get: (key: string) => T | undefined
  set: (key: string, value: T, bytes: number) => void
  /** Tells whether the key was looked up with `wasAsked` before, not too long ago. */
  wasAsked: (key: string) => boolean
  /** Removes all values of this memo. */
  clear: () => void
}>

/** Bytes that all memos of the process may hold together; the least recently used value is evicted first. */
const budgetBytes = 32 * 1024 * 1024
const longestKey = 512
/**
 * Memory of an entry in the JavaScript engine beside its texts and buffers: objects, closures, lists of headers.
 * Measured, rounded up.
 */
const entryBytes = 1024

type Entry = Readonly<{ value: unknown; bytes: number }>

const asked = createAskedBefore()
const entries = new LRUCache<string, Entry>({
  maxSize: budgetBytes,
  maxEntrySize: budgetBytes / 8,
  sizeCalculation: ({ bytes }) => bytes
})
let memos = 0

/** Probability that a new value is inserted once the cache is nearly full. */
const replaced = 1 / 8

/**
 * Tells whether to cache a new value now. If slightly more keys are requested in turn than fit, a plain LRU cache would
 * evict each one just before its next use. So once the cache is nearly full, only one in eight new values is inserted
 * (bimodal insertion, Qureshi et al., ISCA 2007).
 */
export const isRoom = (): boolean => entries.calculatedSize < 0.9 * budgetBytes || Math.random() < replaced

/** Returns the bytes that all memos of the process hold now. */
export const memoBytes = (): number => entries.calculatedSize

export function createMemo<T>(): Memo<T> {
  memos += 1
  const prefix = `${memos}\n`
  return {
    get: key => entries.get(prefix + key)?.value as T | undefined,
    wasAsked: key => asked(prefix + key),
    clear: () => {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) entries.delete(key)
    },
    set(key, value, bytes) {
      if (key.length <= longestKey)
        entries.set(prefix + key, { value, bytes: bytes + 2 * (prefix.length + key.length) + entryBytes })
    }
  }
}
