import { existsSync, readdirSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** What a reload takes in. */
const declared = ['manifests', 'corpora']

/**
 * How long nothing may change before the files are read: a save is often several steps. Files that never rest are read
 * once in a while, in milliseconds.
 */
const quiet = 25
const longest = 1_000

/**
 * `path` and the folders below it. Of a link, what it leads to; a file that is linked changes in its own folder. What
 * is hidden, or outside the root, is left out, as `readFolder` does.
 */
function addFolders(path: string, root: string, found: Set<string>): void {
  try {
    const real = realpathSync(path)
    if (!real.startsWith(root + sep)) return
    const folder = statSync(real).isDirectory() ? real : dirname(real)
    if (found.has(folder)) return
    found.add(folder)
    if (folder !== real) return
    for (const entry of readdirSync(real, { withFileTypes: true })) {
      if (!entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
        addFolders(join(real, entry.name), root, found)
    }
  } catch (error) {
    if (!isSkipped(error)) throw error
  }
}

const skipped = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'])

/**
 * What disappears while it is looked at causes an event of the folder above; what cannot be read is reported by whoever
 * reads it.
 */
const isSkipped = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && skipped.has(String(error.code))

/**
 * `parts`: the folders of each root; `folders`: others, wherever they are; `alone`: others without what is below them.
 * `otherwise`: what somebody can do where folders cannot be watched.
 */
type Watched = Readonly<{
  parts?: readonly string[]
  folders?: readonly string[]
  alone?: readonly string[]
  otherwise?: string
  failed?: (error: unknown) => void
}>

/**
 * Calls `changed` once after files below the `parts` of the roots (manifests and corpora where none are named), or
 * below the `folders`, have stopped changing, with the moment of the first change on the clock of `performance.now()`
 * and the paths that events named. Every change made after the return is noticed: folders are watched, not files,
 * because the system reports every change in a folder, and a file that is replaced would take its watch with it. Throws
 * when folders cannot be watched at the start; later `failed` is told, and what was watched still is.
 */
export function watchFolders(
  roots: readonly string[],
  changed: (noticedAt: number, files: readonly string[]) => void,
  {
    parts = declared,
    folders = [],
    alone = [],
    otherwise = 'Serve without --watch and send SIGHUP after a change.',
    failed = () => undefined
  }: Watched = {}
): { close: () => void } {
  const seen = new Set<string>()
  let watchers: readonly FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let noticedAt: number | undefined

  const touched = (path: string): void => {
    seen.add(path)
    const now = performance.now()
    if (now - (noticedAt ??= now) > longest) return
    clearTimeout(timer)
    timer = setTimeout(read, quiet)
  }
  const watchOne = (folder: string, concerns: (name: string) => boolean): FSWatcher | undefined => {
    try {
      return watch(folder, (_, name) => {
        if (name === null || concerns(name)) touched(join(folder, name ?? ''))
      }).on('error', () => {
        touched(folder)
      })
    } catch (error) {
      if (isSkipped(error)) return undefined
      throw new Error(
        `${folder} cannot be watched: ${error instanceof Error ? error.message : String(error)}. ${otherwise}`,
        { cause: error }
      )
    }
  }
  /**
   * A folder that was removed and made again needs a new watch, and so does one that is new: all are watched again
   * before the old watches end.
   */
  const look = (): void => {
    const fresh = new Map<string, FSWatcher | undefined>()
    const add = (folder: string, concerns: (name: string) => boolean): void => {
      if (!fresh.has(folder)) fresh.set(folder, watchOne(folder, concerns))
    }
    try {
      // A folder that was made after its parent was listed, and before that was watched, is found by listing again.
      for (let before = -1; before < fresh.size;) {
        before = fresh.size
        for (const root of roots.filter(one => existsSync(one)).map(one => realpathSync(one))) {
          // A root may get its first corpus while it is served.
          add(root, name => parts.includes(name))
          const found = new Set<string>()
          for (const part of parts) addFolders(join(root, part), root, found)
          for (const folder of found) add(folder, name => !name.startsWith('.'))
        }
        const found = new Set<string>()
        for (const folder of folders.filter(one => existsSync(one)))
          addFolders(folder, dirname(realpathSync(folder)), found)
        for (const folder of found) add(folder, name => !name.startsWith('.'))
        for (const folder of alone.filter(one => existsSync(one))) add(folder, name => !name.startsWith('.'))
      }
    } catch (error) {
      for (const one of fresh.values()) one?.close()
      throw error
    }
    for (const one of watchers) one.close()
    watchers = [...fresh.values()].filter(one => one !== undefined)
  }
  const read = (): void => {
    const at = noticedAt
    noticedAt = undefined
    try {
      look()
    } catch (error) {
      failed(error)
    }
    const files = [...seen].sort()
    seen.clear()
    changed(at ?? performance.now(), files)
  }

  look()
  return {
    close() {
      clearTimeout(timer)
      for (const one of watchers) one.close()
    }
  }
}
