import type { FolderFile } from './read-folder.ts'

type Kept = Readonly<{ of: readonly unknown[]; made: unknown }>

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, at) => part === b[at])

/**
 * What was made of files when they were read before: handed to the next reading, it makes only what has changed. Each
 * name keeps what it was last made of and what came out. Files count as the same by their bytes, everything else by
 * identity.
 */
export class Reuse {
  /** Files that another process has read and handed over: they are taken instead of those of the disk. */
  handed: readonly FolderFile[] | undefined
  readonly #bytes = new Map<string, Buffer>()
  readonly #kept = new Map<string, Kept>()

  /** The bytes of a file: the same object as before while the content is the same. */
  bytes(path: string, read: Buffer): Buffer {
    const before = this.#bytes.get(path)
    if (before?.equals(read) === true) return before
    this.#bytes.set(path, read)
    return read
  }

  /** What `make` gives, or gave before under this name, where it is made of the same things. */
  of<T>(name: string, parts: readonly unknown[], make: () => T): T {
    const before = this.#kept.get(name)
    if (before !== undefined && isSame(before.of, parts)) return before.made as T
    const made = make()
    this.#kept.set(name, { of: parts, made })
    return made
  }
}
