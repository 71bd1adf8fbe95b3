import { relative, sep } from 'node:path'
import { watch } from 'chokidar'

const parts = ['manifests', 'corpora']

/** More than the 50 ms in which chokidar names a file only once: a save in that time is read with the one before it. */
const quiet = 60

/**
 * Calls `changed` once after files below the `manifests` and `corpora` of the folders have stopped changing for `quietMs`, with the moment of
 * the first change on the clock of `performance.now()`. Resolves when every change is noticed.
 */
export async function watchFolders (folders: readonly string[], changed: (noticedAt: number) => void, quietMs = quiet): Promise<{ close: () => Promise<void> }> {
  let timer: NodeJS.Timeout | undefined
  let noticedAt: number | undefined
  const touched = (): void => {
    noticedAt ??= performance.now()
    clearTimeout(timer)
    timer = setTimeout(() => {
      const at = noticedAt
      noticedAt = undefined
      changed(at ?? performance.now())
    }, quietMs)
  }
  // The folders themselves are watched, because a root may get its first corpus while it is served.
  const isOther = (path: string): boolean => folders.every(folder => {
    const names = relative(folder, path).split(sep)
    return names[0] !== '' && (!parts.includes(names[0] ?? '') || names.some(name => name.startsWith('.')))
  })
  const watcher = watch([...folders], { ignoreInitial: true, ignored: isOther, atomic: quietMs })
  await new Promise<void>(resolve => { watcher.on('ready', resolve) })
  watcher.on('all', touched)
  return {
    async close () {
      clearTimeout(timer)
      await watcher.close()
    }
  }
}
