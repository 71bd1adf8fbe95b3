import { existsSync, realpathSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { addressOf } from '../../core/database/connection.ts'
import { startEmbedded, type EmbeddedServer } from '../../core/database/embedded.ts'
import { createLog } from '../../core/http/log.ts'
import { openRootBundler, type RootBundler } from '../build/project.ts'
import { placeOf, type Config } from '../config.ts'
import { originOf, shownPlace } from '../front.ts'
import { plainLog } from '../open-services.ts'
import { exitStatusOf } from '../faults.ts'
import { shownFiles } from '../io.ts'
import { removeStale, tryPort } from '../ports.ts'
import { stoppable, type Closers } from '../prepare.ts'
import { resolveRoots } from '../project.ts'
import { writtenEndings } from '../root-modules.ts'
import { bundleFolder, editFolder, mayOpenStores } from '../roots.ts'
import { unlessStopped } from '../stop-request.ts'
import { watchFolders } from '../watch.ts'
import { differencesOf } from './examples.ts'
import { startRelay, within, type Edited, type Touched } from './relay.ts'

type DevOptions = Readonly<{
  config: Config
  roots: readonly string[]
  /** Aborts a start that is still loading; `stop()` stops a running service. */
  stop?: AbortSignal
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WriteStream
}>

type RunningDev = Readonly<{ url: string; stop: () => Promise<void> }>

/** Parts of a root: a change in `codeParts` needs a new worker; the current worker reloads `dataParts`. */
const codeParts = ['surfaces', 'migrations']
const dataParts = ['manifests', 'corpora', 'translations']

/** Names the files of an edit, without those that an editor created and deleted again. */
function named(files: readonly string[]): string {
  const left = files.filter(file => existsSync(file))
  return files.length === 0 ? 'what was saved meanwhile' : shownFiles(left.length > 0 ? left : files)
}

type Built = Readonly<{ imports: Imports; digest: string }>

async function build(bundlers: readonly RootBundler[]): Promise<Built> {
  const made = await Promise.all(bundlers.map(bundler => bundler.make()))
  return { imports: new Map(made.flatMap(({ imports }) => [...imports])), digest: made.map(one => one.digest).join() }
}

/** Starts the embedded database when code may first use it, and keeps it while workers are replaced. */
function databaseOf({ config, stderr }: DevOptions, { roots, folders }: Edited) {
  let starting: Promise<EmbeddedServer> | undefined
  return {
    config: async (): Promise<Config> => {
      if (config.databaseUrl !== undefined) return config
      const log = plainLog(createLog(config.logLevel, stderr, true))
      if (mayOpenStores(roots, root => folders.get(root) ?? bundleFolder(root)))
        starting ??= startEmbedded({ dataDir: config.dataDir, log })
      const server = await starting
      return server === undefined ? config : { ...config, databaseUrl: addressOf(server.connection) }
    },
    // A server that failed to start needs no stop.
    stop: async (): Promise<void> => {
      await (await starting?.catch(() => undefined))?.stop()
    }
  }
}

/**
 * Serves code while it is edited. The database and the port stay; after an edit of code another worker serves it. If
 * the code has errors they are printed, and the old worker continues.
 */
export const dev = (options: DevOptions): Promise<RunningDev> =>
  stoppable(async opened => ({ url: await start(options, opened) }))

async function start(options: DevOptions, opened: Closers): Promise<string> {
  const { config, roots, stdout, stderr } = options
  const say = (line: string): void => {
    stderr.write(`${line}\n`)
  }
  let isStopping = false
  const tell = (error: unknown): void => {
    if (isStopping) return
    say(exitStatusOf(error).text)
  }
  const place = await tryPort(placeOf(config))
  await removeStale(place)
  const folders = resolveRoots(roots)
    .filter(one => one.package === undefined)
    .map(({ folder }) => folder)
  // The real paths, which watch events and the bundler report.
  const realFolders = folders.map(folder => realpathSync(folder))
  const edited: Edited = { roots, folders: new Map(folders.map(folder => [folder, editFolder(folder)])) }
  const bundlers = [...edited.folders].map(([folder, out]) =>
    openRootBundler(folder, out, { packages: 'outside', withSources: false })
  )
  for (const bundler of bundlers) opened.push(bundler.close)
  let served = await build(bundlers)
  const database = databaseOf(options, edited)
  opened.push(database.stop)
  const startedAt = new Date()
  const relay = startRelay({
    edited,
    work: async () => ({ config: await database.config(), place, startedAt }),
    lost: (cause, servedMs) => {
      const isSteady = servedMs > steadyMs
      say(`the worker ended (${cause}): another one serves ${isSteady ? 'now' : 'the next edit'}`)
      if (isSteady) queue(performance.now(), [])
    }
  })
  opened.push(relay.stop)

  /** Prints how an edit changed the responses to examples, and ends the previous worker. */
  const compare = async (
    { before, after, retired }: Awaited<ReturnType<typeof relay.pass>>,
    touched: Touched
  ): Promise<void> => {
    if (before === undefined) return
    await retired
    try {
      const asked = [before, after].map(worker => within(compareMs, worker, worker.ask('answers', touched)))
      const [old, fresh] = await Promise.all(asked)
      if (old !== undefined && fresh !== undefined) differencesOf(old, fresh).forEach(say)
    } finally {
      before.end()
    }
  }
  let comparing = Promise.resolve()

  const takeCode = async (noticedAt: number, files: readonly string[], built: Built): Promise<void> => {
    const passed = await relay.pass()
    const { imports } = served
    served = built
    say(`${named(files)} served after ${Math.round(performance.now() - noticedAt)} ms`)
    for (const file of files.filter(one => imports.has(one) && isMigration(one)))
      say(`${shownFiles([file])} has run before: an edit of it runs after \`pantry migrate down\``)
    const touched = files.some(isData) ? 'all' : surfacesTouched(realFolders, imports, built.imports, files)
    // The next edit does not wait for the comparison.
    comparing = comparing.then(() => compare(passed, touched)).catch(tell)
    watch()
  }

  const isBelow = (parts: readonly string[], file: string): boolean =>
    realFolders.some(folder => parts.some(part => file.startsWith(`${folder}${sep}${part}${sep}`)))
  const isData = (file: string): boolean => isBelow(dataParts, file)
  const isMigration = (file: string): boolean => isBelow(['migrations'], file)

  /**
   * Files of edits that were refused. They are taken up with the next edit, which may correct the error in any file.
   */
  let refused: readonly string[] = []
  let isBehind = true
  const take = async ({ noticedAt, files: changed }: Edit, next: Promise<void>): Promise<void> => {
    const files = [...new Set([...refused, ...changed])]
    const reload = async (): Promise<void> => {
      const worker = relay.serving()
      if (worker === undefined) return
      const reloaded = within(compareMs, worker, worker.ask('reload', performance.timeOrigin + noticedAt))
      // The next edit does not wait for a worker that hangs: it may be the one that ends that.
      reloaded.catch(() => undefined)
      await Promise.race([reloaded, next])
    }
    try {
      const built = isBehind || !files.every(isData) ? await build(bundlers) : served
      if (built.digest !== served.digest || relay.serving() === undefined) await takeCode(noticedAt, files, built)
      else await reload()
      refused = []
      isBehind = false
    } catch (error) {
      refused = files
      isBehind = true
      tell(error)
      const left =
        relay.serving() === undefined ? 'nothing is served until the next edit' : 'what was served before is served on'
      say(`${named(files)} refused: ${left}`)
      if (changed.some(isData)) await reload().catch(tell)
    }
  }
  const queue = queueOf(take)

  let watched: Readonly<{ beside: string; close: () => void }> | undefined
  const watch = (): void => {
    const alone = foldersBeside(realFolders, served.imports)
    if (watched?.beside === alone.join()) return
    const before = watched
    const { close } = watchFolders(folders, queue, {
      parts: [...codeParts, ...dataParts],
      alone,
      otherwise: 'Raise the number of files that one person may watch.',
      failed: tell
    })
    watched = { beside: alone.join(), close }
    before?.close()
    // Picks up files that were saved before they were watched.
    queue(performance.now(), [])
  }

  const { address } = await unlessStopped(relay.pass(), options.stop)
  watch()
  opened.push(() => {
    isStopping = true
    watched?.close()
  })
  stdout.write(`listening on ${shownPlace(address)}\n`)
  return originOf(address)
}

/** Milliseconds: a worker that ends after serving for less is not replaced until the next change. */
const steadyMs = 1_000

/** The time limit in milliseconds for a reload, or for all examples of an edit. */
const compareMs = 60_000

/** `noticedAt` is on the clock of `performance.now()`. */
type Edit = Readonly<{ noticedAt: number; files: readonly string[] }>

/**
 * Returns a function that queues edits: `take` gets one at a time, and those that arrive meanwhile are merged. `next`
 * resolves when the first of these arrives.
 */
function queueOf(
  take: (edit: Edit, next: Promise<void>) => Promise<void>
): (noticedAt: number, files: readonly string[]) => void {
  let waiting: Edit | undefined
  let isBusy = false
  let announce = (): void => undefined
  const work = async (): Promise<void> => {
    isBusy = true
    for (let edit = waiting; edit !== undefined; edit = waiting) {
      waiting = undefined
      const next = new Promise<void>(resolve => {
        announce = resolve
      })
      await take(edit, next)
    }
    isBusy = false
  }
  return (noticedAt, files) => {
    waiting = { noticedAt: waiting?.noticedAt ?? noticedAt, files: [...(waiting?.files ?? []), ...files] }
    announce()
    if (!isBusy) void work()
  }
}

/** Returns the folders of imported code outside of packages and of `codeParts` of a root. */
const foldersBeside = (folders: readonly string[], imports: Imports): readonly string[] =>
  [...new Set([...imports.keys()].map(file => dirname(file)))].filter(
    beside =>
      !`${beside}${sep}`.includes(`${sep}node_modules${sep}`) &&
      !folders.some(folder => codeParts.some(part => `${beside}${sep}`.startsWith(`${folder}${sep}${part}${sep}`)))
  )

/** The imports of each code file, as absolute paths. */
type Imports = ReadonlyMap<string, readonly string[]>

/** Returns the files and all that import one of them, directly or indirectly. */
function importersOf(imports: Imports, files: readonly string[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of imports)
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), file])
  const found = new Set(files)
  // The loop also visits what is added to the set while it runs.
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

const onlyInOne = (before: Imports, after: Imports): readonly string[] =>
  [...before.keys(), ...after.keys()].filter(file => !(before.has(file) && after.has(file)))

/**
 * Returns the files with handlers that are or import a changed file, before or after the edit, as `handlerFileId` names
 * them. Returns `coded` if a migration or a module that the framework loads by name, such as `surfaces/services`, is or
 * imports one.
 */
export function surfacesTouched(
  folders: readonly string[],
  before: Imports,
  after: Imports,
  files: readonly string[]
): Touched {
  const changed = [...files, ...onlyInOne(before, after)]
  const reached = [...new Set([before, after].flatMap(imports => [...importersOf(imports, changed)]))].flatMap(file => {
    const ending = writtenEndings.find(one => file.endsWith(one))
    return ending === undefined ? [] : [file.slice(0, -ending.length).replaceAll('\\', '/')]
  })
  const ids: string[] = []
  for (const folder of folders.map(one => one.split(sep).join('/'))) {
    for (const file of reached.filter(one => one.startsWith(`${folder}/`))) {
      const [part, place, ...path] = file.slice(folder.length + 1).split('/')
      if (part === 'surfaces' && place === 'handlers') ids.push(path.join('/'))
      // `surfaces/services` and other modules that the framework loads by name concern every surface with a handler.
      else if (part === 'migrations' || (part === 'surfaces' && path.length === 0 && isAsked(file, after)))
        return 'coded'
    }
  }
  return [...new Set(ids)]
}

/** Whether no other file imports it, so that the framework may load it by name. */
const isAsked = (file: string, imports: Imports): boolean =>
  ![...imports.values()].flat().some(one => writtenEndings.some(ending => one === file + ending))
