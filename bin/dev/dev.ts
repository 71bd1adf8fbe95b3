import { existsSync, realpathSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { urlOf } from '../../core/database/connection.ts'
import { startEmbedded, type EmbeddedServer } from '../../core/database/embedded.ts'
import { createLog } from '../../core/http/log.ts'
import { openRootBundler, type RootBundler } from '../build/root.ts'
import type { Config } from '../config.ts'
import { originOf } from '../front.ts'
import { plainLog } from '../open-services.ts'
import { count } from '../output/io.ts'
import { tryPort, type ListenAddress } from '../ports.ts'
import type { Closers } from '../prepare.ts'
import { rootsNamed } from '../project.ts'
import { messageOf } from '../reload.ts'
import { bundleFolder, editFolder, mayOpenStores } from '../roots.ts'
import { unlessStopped } from '../stop-request.ts'
import { watchFolders } from '../watch.ts'
import { differencesOf } from './differences.ts'
import type { Edited, DevWork } from './duties.ts'
import { startRelay, type DevWorker } from './relay.ts'
import { surfacesTouched, type Imports } from './touched.ts'

type DevOptions = Readonly<{
  config: Config
  roots: readonly string[]
  /** Ends a start that is still loading; what runs is stopped with `stop()`. */
  stop?: AbortSignal
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WriteStream
}>

/** A service whose code somebody edits. */
type RunningDev = Readonly<{ url: string; stop: () => Promise<void> }>

/** Parts of a root that need another worker when they change, and parts that the one that serves takes in. */
const codeParts = ['surfaces', 'migrations']
const dataParts = ['manifests', 'corpora']

const most = 3

/** The files for a person; those that an editor made and removed again are left out. */
const named = (files: readonly string[]): string => {
  const left = files.filter(file => existsSync(file))
  const all = left.length > 0 ? left : files
  const shown = all.slice(0, most).map(file => relative(process.cwd(), file))
  if (files.length === 0) return 'what was saved meanwhile'
  return shown.join(', ') + (all.length > most ? ` and ${count(all.length - most, 'other file')}` : '')
}

/** The code of all roots as it is written now: each file with those that it imports, and a digest of what it gives. */
type Built = Readonly<{ imports: Imports; digest: string }>

async function build(bundlers: readonly RootBundler[]): Promise<Built> {
  const made = await Promise.all(bundlers.map(bundler => bundler.make()))
  return { imports: new Map(made.flatMap(({ imports }) => [...imports])), digest: made.map(one => one.digest).join() }
}

/** The database of the workers: it is started when code may first ask for one, and stays while they come and go. */
function databaseOf({ config, stderr }: DevOptions, { roots, folders }: Edited) {
  let server: EmbeddedServer | undefined
  return {
    /** The configuration of the next worker. */
    config: async (): Promise<Config> => {
      if (config.databaseUrl !== undefined) return config
      const log = plainLog(createLog(config.logLevel, stderr))
      if (mayOpenStores(roots, root => folders.get(root) ?? bundleFolder(root)))
        server ??= await startEmbedded({ dataDir: config.dataDir, log })
      return server === undefined ? config : { ...config, databaseUrl: urlOf(server.connection) }
    },
    stop: async (): Promise<void> => {
      await server?.stop()
    }
  }
}

/**
 * Serves code that is edited: the database and the port stay, and after an edit another worker answers, with what was
 * written last. Code that is wrong is told, and what served before serves on.
 */
export async function dev(options: DevOptions): Promise<RunningDev> {
  const opened: Closers = []
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    return { url: await start(options, opened), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(options: DevOptions, opened: Closers): Promise<string> {
  const { config, roots, stdout, stderr } = options
  const say = (line: string): void => {
    stderr.write(`${line}\n`)
  }
  const tell = (error: unknown): void => {
    say(messageOf(error))
    if (error instanceof Error && 'fix' in error) say(String(error.fix))
  }
  const place: ListenAddress = { host: config.host, port: config.port, variable: 'PORT' }
  const port = await tryPort(place)
  const folders = rootsNamed(roots)
    .filter(one => one.package === undefined)
    .map(({ folder }) => folder)
  // As events and the bundler name them.
  const places = folders.map(folder => realpathSync(folder))
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
    work: async (): Promise<DevWork> => ({ config: await database.config(), place: { ...place, port }, startedAt }),
    lost: cause => {
      say(`the worker ended (${cause}): another one serves the next edit`)
    }
  })
  opened.push(relay.stop)

  /** Says what an edit changed in the answers of examples, and ends the worker that served before. */
  const compare = async (
    before: DevWorker,
    after: DevWorker,
    surfaces: readonly string[] | undefined
  ): Promise<void> => {
    try {
      const [old, fresh] = await Promise.all([before.ask('answers', surfaces), after.ask('answers', surfaces)])
      differencesOf(old, fresh).forEach(say)
    } finally {
      before.end()
    }
  }

  const takeCode = async (noticedAt: number, files: readonly string[], built: Built): Promise<void> => {
    const { before, after } = await relay.pass()
    const touched = surfacesTouched(places, [served.imports, built.imports], files)
    served = built
    say(`${named(files)} served after ${Math.round(performance.now() - noticedAt)} ms`)
    // The next edit does not wait for it.
    if (before !== undefined) compare(before, after, touched).catch(tell)
  }

  const isData = (file: string): boolean =>
    places.some(folder => dataParts.some(part => file.startsWith(`${folder}${sep}${part}${sep}`)))

  /** Whether there may be code that is not served: it was written before anybody watched, or was refused. */
  let isBehind = true
  const take = async ({ noticedAt, files }: Edit): Promise<void> => {
    const code = files.filter(file => !isData(file))
    try {
      const built = code.length > 0 || isBehind ? await build(bundlers) : served
      const worker = relay.serving()
      if (built.digest !== served.digest || worker === undefined) await takeCode(noticedAt, files, built)
      else if (code.length === 0 || code.length < files.length)
        await worker.ask('reload', performance.timeOrigin + noticedAt)
      isBehind = false
    } catch (error) {
      isBehind = true
      tell(error)
      say(`${named(files)} refused: what was served before is served on`)
    }
  }

  const origin = originOf((await unlessStopped(relay.pass(), options.stop)).address)
  const queue = inTurn(take)
  const watcher = watchFolders(folders, queue, {
    parts: [...codeParts, ...dataParts],
    folders: foldersBeside(places, served.imports),
    failed: tell
  })
  opened.push(watcher.close)
  // What was saved while the stores were opened.
  queue(performance.now(), [])
  stdout.write(`listening on ${origin}\n`)
  return origin
}

/** Files that changed, and when the first change was noticed, on the clock of `performance.now()`. */
type Edit = Readonly<{ noticedAt: number; files: readonly string[] }>

/** One edit is taken in after the other; those that come meanwhile are one. */
function inTurn(take: (edit: Edit) => Promise<void>): (noticedAt: number, files: readonly string[]) => void {
  let waiting: Edit | undefined
  let isBusy = false
  const work = async (): Promise<void> => {
    isBusy = true
    for (let edit = waiting; edit !== undefined; edit = waiting) {
      waiting = undefined
      await take(edit)
    }
    isBusy = false
  }
  return (noticedAt, files) => {
    waiting = { noticedAt: waiting?.noticedAt ?? noticedAt, files: [...(waiting?.files ?? []), ...files] }
    if (!isBusy) void work()
  }
}

/** Where code is imported from that is neither of a package nor in the parts of a root that are watched. */
const foldersBeside = (folders: readonly string[], imports: Imports): readonly string[] =>
  [...new Set([...imports.keys()].map(file => dirname(file)))].filter(
    beside =>
      !`${beside}${sep}`.includes(`${sep}node_modules${sep}`) &&
      !folders.some(folder => codeParts.some(part => `${beside}${sep}`.startsWith(`${folder}${sep}${part}${sep}`)))
  )
