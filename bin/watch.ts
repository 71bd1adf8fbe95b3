import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'

/** Calls `changed` once after files below the folders have stopped changing for `quietMs`. */
export function watchFolders (folders: readonly string[], changed: () => void, quietMs = 80): { close: () => void } {
  let timer: NodeJS.Timeout | undefined
  const touched = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, quietMs)
  }
  const watchers: FSWatcher[] = folders.flatMap(folder => ['manifests', 'corpora'].flatMap(part => {
    try {
      return [watch(join(folder, part), { recursive: true }, touched)]
    } catch {
      return []
    }
  }))
  return {
    close () {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    }
  }
}
