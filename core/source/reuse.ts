import type { FolderFile } from './read-folder.ts'

type Kept = Readonly<{ of: readonly unknown[]; made: unknown }>

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, at) => part === b[at])

/**
 * Cache of what earlier loads made from files, so that the next load computes only what has changed. For each name it
 * holds the last inputs and the result. Files are compared by their bytes, all other inputs by identity.
 */
export class Reuse {
  /** Files that another process has read and passed on; they are used instead of the files on disk. */
  handed: readonly FolderFile[] | undefined
  readonly #bytes = new Map<string, Buffer>()
  readonly #kept = new Map<string, Kept>()

  /** Returns the bytes of a file: the same object as before while the content is unchanged. */
  bytes(path: string, read: Buffer): Buffer {
    const before = this.#bytes.get(path)
    if (before?.equals(read) === true) return before
    this.#bytes.set(path, read)
    return read
  }

  /** Returns the result of `make`, or the stored one of this name if all parts are the same. */
  of<T>(name: string, parts: readonly unknown[], make: () => T): T {
    const before = this.#kept.get(name)
    if (before !== undefined && isSame(before.of, parts)) return before.made as T
    const made = make()
    this.#kept.set(name, { of: parts, made })
    return made
  }
}
