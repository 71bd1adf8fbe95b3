import { statSync } from 'node:fs'
import { filesBelow, writtenEndings } from './handler-files.ts'
import { shownFiles } from './output/shown-files.ts'
import { buildOf } from './package-manager.ts'
import { isBuilt } from './roots.ts'
import { watchFolders } from './watch.ts'

/** The code that a path names: the file, or all that came with a folder. */
const codeAt = (path: string): readonly string[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? writtenEndings.flatMap(ending => filesBelow(path, ending))
    : [path].filter(file => writtenEndings.some(ending => file.endsWith(ending)))

/** What must be done so that an edit of a root's code is served. */
const neededFor = (folder: string): string =>
  `${isBuilt(folder) ? `\`${buildOf(folder, process.env)}\` and a new start` : 'a new start'}, or at once by \`pantry dev\``

/** Says of code that changes what must be done so that it is served: a reload takes in data alone. */
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
