import { LRUCache } from 'lru-cache'
import { createAskedBefore } from './asked-before.ts'

/**
 * What is kept so that an answer need not be made twice. `bytes` is what a value takes beside its key; to set a key
 * again counts it again. What has a key longer than 512 characters, or takes more than an eighth of the budget, is not
 * kept.
 */
type Memo<T> = Readonly<{
  get: (key: string) => T | undefined
  set: (key: string, value: T, bytes: number) => void
  /** Whether a key was asked about before, not too long ago. */
  wasAsked: (key: string) => boolean
  /** Forgets all that it keeps. */
  clear: () => void
}>

/**
 * Of one process, whatever is kept and for however many surfaces: what was not used for the longest time goes first.
 */
const budgetBytes = 32 * 1024 * 1024
const longestKey = 512
/**
 * What an entry takes in the engine beside its texts and buffers: objects, closures, lists of headers. Measured,
 * rounded up.
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

/** How often something new takes the place of what is kept, once all places are taken. */
const replaced = 1 / 8

/**
 * Whether something that can also be made again should be kept now. Where a few more keys are asked for in turn than
 * there is room for, each would push out the one that is asked for next: so most keep their places (bimodal insertion,
 * Qureshi et al., ISCA 2007).
 */
export const isRoom = (): boolean => entries.calculatedSize < 0.9 * budgetBytes || Math.random() < replaced

/** Bytes that all memos of the process hold now. */
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
