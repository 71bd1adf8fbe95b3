import { once } from 'node:events'
import { existsSync, readdirSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { FindingsError, messageOf, print, shownFiles, type ExitCode, type Io } from './io.ts'
import { buildOf } from './project.ts'
import { filesBelow, writtenEndings } from './root-modules.ts'
import { contentRoots, isBuilt } from './roots.ts'
import { stopRequest } from './stop-request.ts'

/** The folders of a root whose changes cause a reload. A reload also reads `surfaces/assets`. */
const declared = ['manifests', 'corpora', 'translations']

/**
 * Milliseconds without a change before files are read, since a save is often several steps (`quiet`), and the longest
 * delay if they keep changing (`maxDelayMs`).
 */
const quiet = 25
const maxDelayMs = 1_000

/**
 * Adds `path` and the folders below it to `found`. Links are followed; for a link to a file, the folder of that file is
 * added. Hidden entries and targets outside the root are skipped, as in `readFolder`.
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
 * Whether an error may be ignored: a path that disappears causes an event in its parent folder, and an unreadable path
 * is reported when it is read.
 */
const isSkipped = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && skipped.has(String(error.code))

/**
 * `parts`: subfolders of each root; `folders`: others; `alone`: others without their subfolders; `otherwise`: advice if
 * folders cannot be watched; `failed`: receives later errors.
 */
type Watched = Readonly<{
  parts?: readonly string[]
  folders?: readonly string[]
  alone?: readonly string[]
  otherwise?: string
  failed?: (error: unknown) => void
}>

/**
 * Calls `changed` once after files below the `parts` of the roots, below the `folders` or in those of `alone` have
 * stopped changing, with the time of the first change on the clock of `performance.now()` and the paths of the events.
 * Every change after the return is noticed. Watches folders, because a watch on a file ends when the file is replaced.
 * Throws if folders cannot be watched at the start; later errors go to `failed`, and existing watches continue.
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
    if (now - (noticedAt ??= now) > maxDelayMs) return
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
      throw new Error(`${folder} cannot be watched: ${messageOf(error)}. ${otherwise}`, { cause: error })
    }
  }
  /**
   * Watches all folders again, because new and recreated ones need a new watch; the old watches are closed afterwards.
   */
  const look = (): void => {
    const fresh = new Map<string, FSWatcher | undefined>()
    const add = (folder: string, concerns: (name: string) => boolean): void => {
      if (!fresh.has(folder)) fresh.set(folder, watchOne(folder, concerns))
    }
    try {
      // Listing again finds a folder that was created after its parent was listed and before that was watched.
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

/** Returns the file itself if it is code, or all code files below a folder. */
const codeAt = (path: string): readonly string[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? writtenEndings.flatMap(ending => filesBelow(path, ending))
    : [path].filter(file => writtenEndings.some(ending => file.endsWith(ending)))

const neededFor = (folder: string): string =>
  `${isBuilt(folder) ? `\`${buildOf(folder, process.env)}\` and a new start` : 'a new start'}, or at once by \`pantry dev\``

/** Watches the code of roots, and says after a change what must be done: a reload reads only manifests and corpora. */
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

/**
 * Runs `work` once, and again after each change of a manifest or corpus of the named roots, or of a file below the
 * `folders`, until SIGINT or SIGTERM. Continues after a `FindingsError`; rejects with any other error.
 */
export async function againOnChange(
  names: readonly string[],
  folders: readonly string[],
  io: Io,
  work: () => Promise<ExitCode>
): Promise<0> {
  const stop = stopRequest(io.signals)
  const changes = new EventTarget()
  let isChanged = true
  const watcher = watchFolders(
    (await contentRoots(names)).map(({ folder }) => folder),
    () => {
      isChanged = true
      changes.dispatchEvent(new Event('change'))
    },
    {
      folders,
      failed: error => {
        print(io.stderr, String(error))
      }
    }
  )
  try {
    while (!stop.aborted) {
      if (isChanged) {
        isChanged = false
        await work().catch((error: unknown) => {
          if (!(error instanceof FindingsError)) throw error
          print(io.stderr, error.message)
        })
        print(io.stderr, 'waiting for a change; Ctrl-C ends')
      } else {
        await once(changes, 'change', { signal: stop }).catch(() => undefined)
      }
    }
    return 0
  } finally {
    watcher.close()
  }
}
