import { LRUCache } from 'lru-cache'

/**
 * What is kept so that an answer need not be made twice. `bytes` is what a value takes beside its key; to set a key again counts it
 * again. What has a key longer than 512 characters, or takes more than an eighth of the budget, is not kept.
 */
type Memo<T> = Readonly<{ get: (key: string) => T | undefined, set: (key: string, value: T, bytes: number) => void }>

/** Of one process, whatever is kept and for however many surfaces: what was not used for the longest time goes first. */
const budgetBytes = 32 * 1024 * 1024
const longestKey = 512
/** What an entry takes in the engine beside its texts and buffers: objects, closures, lists of headers. Measured, rounded up. */
const entryBytes = 2048

type Entry = Readonly<{ value: unknown, bytes: number }>

const entries = new LRUCache<string, Entry>({ maxSize: budgetBytes, maxEntrySize: budgetBytes / 8, sizeCalculation: ({ bytes }) => bytes })
let memos = 0

/** Bytes that all memos of the process hold now. */
export const memoBytes = (): number => entries.calculatedSize

export function createMemo<T> (): Memo<T> {
  memos += 1
  const prefix = `${memos}\n`
  return {
    get: key => entries.get(prefix + key)?.value as T | undefined,
    set (key, value, bytes) {
      if (key.length <= longestKey) entries.set(prefix + key, { value, bytes: bytes + 2 * (prefix.length + key.length) + entryBytes })
    }
  }
}
