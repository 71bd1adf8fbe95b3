/** Prepared answers of one surface by request line: bounded in number, key length and bytes, emptied when full. */
export type Memo<T> = Readonly<{ get: (key: string) => T | undefined, set: (key: string, value: T, bytes: number) => void }>

const mostEntries = 1024
const mostBytes = 8 * 1024 * 1024
const longestKey = 512

export function createMemo<T> (): Memo<T> {
  const kept = new Map<string, T>()
  let total = 0
  return {
    get: key => kept.get(key),
    set (key, value, bytes) {
      if (key.length > longestKey || bytes > mostBytes) return
      if (kept.size >= mostEntries || total + bytes > mostBytes) {
        kept.clear()
        total = 0
      }
      kept.set(key, value)
      total += bytes
    }
  }
}
