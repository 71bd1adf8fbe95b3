import { statSync } from 'node:fs'
import { filesBelow, writtenEndings } from './handler-files.ts'
import { shownFiles } from './output/shown-files.ts'
import { buildOf } from './package-manager.ts'
import { isBuilt } from './roots.ts'
import { watchFolders } from './watch.ts'

/** Returns the code files at a path: the file itself, or all code files below a folder. */
const codeAt = (path: string): readonly string[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? writtenEndings.flatMap(ending => filesBelow(path, ending))
    : [path].filter(file => writtenEndings.some(ending => file.endsWith(ending)))

/** Returns what to do so that an edit of a root's code is served. */
const neededFor = (folder: string): string =>
  `${isBuilt(folder) ? `\`${buildOf(folder, process.env)}\` and a new start` : 'a new start'}, or at once by \`pantry dev\``

/** Prints what to do when code changes, because a reload reads only manifests and corpora. */
export function watchCode(
  folders: readonly string[],
  { say, failed }: Readonly<{ say: (line: string) => void; failed: (error: unknown) => void }>
): { close: () => void } {
  const watchers = folders.map(folder =>
    watchFolders(
      [folder],
      (_, files) => {
        const code = files.flatMap(codeAt)
        if (code.length === 0) return
        say(`${shownFiles(code)} changed: code is served after ${neededFor(folder)}`)
      },
      { parts: ['surfaces', 'migrations'], failed }
    )
  )
  return {
    close() {
      for (const watcher of watchers) watcher.close()
    }
  }
}
