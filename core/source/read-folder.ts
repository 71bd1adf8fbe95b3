import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  type Stats
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { runSync, type SlicedWork } from '../canonical/work.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { maxFileBytes } from './decode-text.ts'
import { reportFile } from './report.ts'

/**
 * One file below a folder: `path` as displayed in messages, `name` relative to the folder, `real` the path to open. If
 * the file is larger than `maxFileBytes`, `bytes` is a placeholder that is too large as well, so that `decodeText`
 * refuses it.
 */
export type FolderFile = Readonly<{ path: string; name: string; real: string; bytes: Uint8Array }>

const slashes = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'))

/** Returns a path as displayed in messages: relative to the working directory of the process, with slashes. */
export const shownPath = (path: string): string => slashes(relative(process.cwd(), path)) || '.'

const isInside = (path: string, root: string): boolean => path === root || path.startsWith(root + sep)

/** Returns values of which one changes whenever the content of a file changes. */
const stampOf = ({ mtimeMs, ctimeMs, size, ino }: Stats): readonly unknown[] => [mtimeMs, ctimeMs, size, ino]

/**
 * Returns those of the handed files that are below a folder, each once: a root may be within the folder of another
 * root, so a file can be handed twice.
 */
const handedBelow = (folder: string, handed: readonly FolderFile[], reuse: LoadCache): FolderFile[] => [
  ...new Map(
    handed
      .filter(({ path }) => path.startsWith(folder))
      .map(file => [
        file.path,
        { ...file, name: file.path.slice(folder.length), bytes: reuse.bytes(file.path, Buffer.from(file.bytes)) }
      ])
  ).values()
]

type ReadFolder = Readonly<{ files: readonly FolderFile[]; diagnostics: readonly Diagnostic[] }>

/**
 * Reads every file below `root/folder`, each folder in the order of names, without hidden files and folders. Links may
 * point only inside `root`.
 */
export const readFolder = (root: string, folder: string, reuse?: LoadCache): ReadFolder =>
  runSync(readFolderInSlices(root, folder, reuse))

export function* readFolderInSlices(root: string, folder: string, reuse = new LoadCache()): SlicedWork<ReadFolder> {
  const files: FolderFile[] = []
  const diagnostics: Diagnostic[] = []
  const realRoot = realpathSync(root)
  const top = join(root, folder)
  if (reuse.handed !== undefined)
    return { files: handedBelow(`${shownPath(top)}/`, reuse.handed, reuse), diagnostics: [] }

  /** Visits a file or folder. `known`: its real path, if it is not a link. */
  function* visit(path: string, ancestors: readonly string[], known?: string): SlicedWork<void> {
    const shown = shownPath(path)
    const refuse = (code: 'M114' | 'M115', problem: string, hint: string): void => {
      diagnostics.push(reportFile(shown, code, `\`${shown}\` ${problem}.`, hint))
    }
    try {
      const real = known ?? realpathSync(path)
      if (!isInside(real, realRoot)) {
        refuse('M115', 'points outside its root', 'Copy the file into the root.')
        return
      }
      const state = statSync(real)
      if (!state.isDirectory()) {
        const isLarge = state.size > maxFileBytes
        files.push({
          path: shown,
          name: slashes(relative(top, path)),
          real,
          bytes: isLarge
            ? reuse.of(`large ${shown}`, stampOf(state), () => new Uint8Array(maxFileBytes + 1))
            : reuse.bytes(shown, readFileSync(real))
        })
        yield
      } else if (ancestors.includes(real)) {
        refuse('M115', 'points to a folder above itself', 'Remove the link.')
      } else {
        const entries = readdirSync(real, { withFileTypes: true })
          .filter(({ name }) => !name.startsWith('.'))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
        for (const entry of entries)
          yield* visit(
            join(path, entry.name),
            [...ancestors, real],
            entry.isFile() || entry.isDirectory() ? join(real, entry.name) : undefined
          )
      }
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
      refuse('M114', `cannot be read (${reason})`, 'Check the permissions, and where a link points to.')
    }
  }
  if (readdirSync(root).includes(folder.split('/')[0] ?? '') && existsSync(top)) yield* visit(top, [])
  return { files, diagnostics }
}

const pieceSize = 65_536

/** Yields the bytes of a file from offset `from` to before `to`, in pieces of at most 64 KiB. */
export function* filePieces(path: string, from = 0, to = Infinity): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (let at = from; at < to;) {
      const piece = Buffer.allocUnsafe(Math.min(pieceSize, to - at))
      const length = readSync(file, piece, 0, piece.length, at)
      if (length === 0) return
      yield piece.subarray(0, length)
      at += length
    }
  } finally {
    closeSync(file)
  }
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, at) => part === b[at])

/**
 * Cache of what earlier loads made from files: by name, the last inputs and the result. The bytes of files are compared
 * by content, all other inputs by identity.
 */
export class LoadCache {
  /** Files that another process has read. If defined, they are used instead of the files on disk. */
  handed: readonly FolderFile[] | undefined
  readonly #bytes = new Map<string, Buffer>()
  readonly #results = new Map<string, Readonly<{ parts: readonly unknown[]; result: unknown }>>()

  /** Returns the bytes of a file, as the same object while the content is unchanged. */
  bytes(path: string, read: Buffer): Buffer {
    const before = this.#bytes.get(path)
    if (before?.equals(read) === true) return before
    this.#bytes.set(path, read)
    return read
  }

  /** Returns the result of `make`, or the stored one of this name if all parts are the same. */
  of<T>(name: string, parts: readonly unknown[], make: () => T): T {
    const before = this.#results.get(name)
    if (before !== undefined && isSame(before.parts, parts)) return before.result as T
    const result = make()
    this.#results.set(name, { parts, result })
    return result
  }
}
