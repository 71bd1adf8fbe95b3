import { createServer } from 'node:http'
import type { Callers } from '../../core/access/access.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { adminListener } from '../../core/http/server.ts'
import { withBaseUrl } from '../../core/registry/load.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { placeOf, type Config } from '../config.ts'
import { linkedOrigin, openFront, originOf, shownPlace } from '../front.ts'
import { messageOf } from '../io.ts'
import { listen, removeStale, tryPort, type ListenAddress } from '../ports.ts'
import { prepare, stoppable, type Closers } from '../prepare.ts'
import { readingRegistry } from '../read-registry.ts'
import { createReload } from '../reload.ts'
import { createSpeech } from '../speech.ts'
import { unlessStopped } from '../stop-request.ts'
import { watchCode, watchFolders } from '../watch.ts'

type ServeOptions = Readonly<{
  config: Config
  roots: readonly string[]
  watch: boolean
  /** Check each reply of a handler; the default is the value of `watch`. */
  checkReplies?: boolean
  /** Receives what is thrown while this process answers a request, in addition to the log. */
  onFault?: (error: unknown, requestId: string) => void
  report: (diagnostics: readonly Diagnostic[]) => void
  /** Aborts a start that is still loading; `stop()` stops a running server. */
  stop?: AbortSignal
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WriteStream
}>

/** A service that listens. */
export type RunningServer = Readonly<{
  url: string
  /** The registry that is served now. */
  registry: () => Registry
  /** What identifies callers, if a root has it. */
  callers: Callers<string> | undefined
  /** Fills the stores of the roots that can be filled for tests, if one can. */
  fillForTests: (() => Promise<void>) | undefined
  /** Reads manifests and corpora again, and serves them if they are valid. */
  reload: () => void
  /** Aborts, with the fault as its reason, if the stores cannot be prepared and waiting cannot help. */
  lost: AbortSignal
  stop: () => Promise<void>
}>

/** Opens the stores, loads bundled data, and listens. */
export const serve = (options: ServeOptions): Promise<RunningServer> => stoppable(opened => start(options, opened))

async function start(
  { config, roots: names, watch, checkReplies = watch, onFault, report, stop, stdout, stderr }: ServeOptions,
  opened: Closers
): Promise<Omit<RunningServer, 'stop'>> {
  const place = placeOf(config)
  const { adminPort } = config
  const adminPlace: ListenAddress | undefined =
    adminPort === undefined ? undefined : { host: config.host, port: adminPort, variable: 'PANTRY_ADMIN_PORT' }
  const { say, warn } = createSpeech(stderr, config.logLevel)
  const lost = new AbortController()
  const onLost = (error: unknown): void => {
    lost.abort(error)
  }
  const prepared = await prepare(
    { config, roots: names, checkReplies, checkRows: checkReplies, onFault, onLost, report, stop, stderr },
    opened,
    async () => {
      for (const one of [place, adminPlace]) if (one !== undefined) await tryPort(one)
    }
  )

  const front =
    config.workers === 1
      ? openFront(prepared, config)
      : await (await import('./front.ts')).openWorkers(prepared, config, names, checkReplies)
  if (adminPlace !== undefined && front.metrics !== undefined) {
    const { metrics } = front
    const text = async (): Promise<string> => (await metrics.text()) + prepared.jobs.metrics()
    const admin = createServer(adminListener(front.state, { text }))
    say(`admin port on ${originOf(await listen(admin, adminPlace))}`)
    opened.push(() => {
      admin.close().closeAllConnections()
    })
  }
  opened.push(front.stop)
  // Called first: jobs stop while requests are still answered.
  opened.push(prepared.jobs.abort)
  await removeStale(place)
  const address = await unlessStopped(front.listen(place), stop)
  const url = linkedOrigin(config, address, warn)
  let served = withBaseUrl(prepared.registry, url)
  const { reload, end } = createReload({
    first: prepared.first,
    read: () => readingRegistry(prepared.roots, url, prepared.reuse),
    swap: async read => {
      await front.swap(read)
      served = read.registry
    },
    report,
    say
  })
  opened.push(end)

  if (watch) {
    const folders = prepared.roots.map(root => root.folder)
    const failed = (error: unknown): void => {
      warn(messageOf(error))
    }
    opened.push(
      watchFolders(
        folders,
        noticedAt => {
          void reload(noticedAt)
        },
        { failed }
      ).close,
      watchCode(folders, { say, failed }).close
    )
    // Picks up files that were saved while the stores were opened.
    void reload()
  }
  stdout.write(`listening on ${shownPlace(address)}\n`)
  return {
    url: originOf(address),
    lost: lost.signal,
    registry: () => served,
    callers: prepared.callers,
    fillForTests: prepared.fillForTests,
    reload: () => {
      void reload(performance.now(), true)
    }
  }
}
