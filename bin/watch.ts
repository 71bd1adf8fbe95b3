import { readdirSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs'
import { dirname, join } from 'node:path'

const parts = ['manifests', 'corpora']

/** How long nothing may change before the files are read: a save is often several steps. Files that never rest are read once in a while, in milliseconds. */
const quiet = 25
const longest = 1_000

/** `path` and the folders below it. Of a link, what it leads to; a file that is linked changes in its own folder. Hidden names are left out, as `readFolder` does. */
function addFolders (path: string, found: Set<string>): void {
  try {
    const real = realpathSync(path)
    const folder = statSync(real).isDirectory() ? real : dirname(real)
    if (found.has(folder)) return
    found.add(folder)
    if (folder !== real) return
    for (const entry of readdirSync(real, { withFileTypes: true })) {
      if (!entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink())) addFolders(join(real, entry.name), found)
    }
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** What disappears while it is looked at causes an event of the folder above. */
const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP')

/**
 * Calls `changed` once after files below the `manifests` and `corpora` of the roots have stopped changing for `quietMs`, with the moment of
 * the first change on the clock of `performance.now()`. Every change made after the return is noticed: folders are watched, not files, because
 * the system reports every change in a folder, and a file that is replaced would take its watch with it.
 */
export function watchFolders (roots: readonly string[], changed: (noticedAt: number) => void, quietMs = quiet): { close: () => void } {
  let watchers: readonly FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let noticedAt: number | undefined

  const touched = (): void => {
    const now = performance.now()
    if (now - (noticedAt ??= now) > longest) return
    clearTimeout(timer)
    timer = setTimeout(read, quietMs)
  }
  const watchOne = (folder: string, concerns: (name: string) => boolean): FSWatcher | undefined => {
    try {
      return watch(folder, (_, name) => { if (name === null || concerns(name)) touched() }).on('error', touched)
    } catch (error) {
      if (isGone(error)) return undefined
      throw new Error(`${folder} cannot be watched: ${error instanceof Error ? error.message : String(error)}. Serve without --watch and send SIGHUP after a change.`, { cause: error })
    }
  }
  /** A folder that was removed and made again needs a new watch, and so does one that is new: all are watched again before the old watches end. */
  const look = (): void => {
    const found = new Set<string>()
    for (const root of roots) for (const part of parts) addFolders(join(root, part), found)
    const old = watchers
    watchers = [
      // A root may get its first corpus while it is served.
      ...roots.map(root => watchOne(root, name => parts.includes(name))),
      ...[...found].map(folder => watchOne(folder, name => !name.startsWith('.')))
    ].filter(one => one !== undefined)
    for (const one of old) one.close()
  }
  const read = (): void => {
    const at = noticedAt
    noticedAt = undefined
    look()
    changed(at ?? performance.now())
  }

  look()
  return {
    close () {
      clearTimeout(timer)
      for (const one of watchers) one.close()
    }
  }
}
