import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Option } from 'commander'
import { addressOptions, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig } from '../config.ts'
import type { ExitCode, Io } from '../io.ts'
import { lastFault, stopRequest } from '../stop-request.ts'

type Options = RootOptions & { watch?: true; host?: string; port?: string; adminPort?: string; workers?: string }

/**
 * Whether the terminal of the service was closed. SIGHUP, which means to read the files again, is sent then too, and
 * the service must stop.
 */
function lostTerminal(stderr: NodeJS.WriteStream): boolean {
  if (!stderr.isTTY) return false
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return false
  } catch {
    return true
  }
}

/** Returns a path as a shell takes it. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

const readerMs = 500

/** Exits with 0 if stderr still has unwritten text after `readerMs`, because nobody reads it. */
async function exitIfUnread({ stderr, exit }: Io): Promise<void> {
  if (stderr.writableLength === 0) return
  await sleep(readerMs)
  if (stderr.writableLength > 0) exit(0)
}

/** Ends the process if something still holds it when all is closed, such as a job that ignores its signal. */
const exitIfHeld = ({ exit }: Io, code: ExitCode): void => {
  setTimeout(exit, readerMs, code).unref()
}

export const serve = defineCommand<[], Options>({
  name: 'serve',
  group: 'run',
  summary: 'Serve the surfaces over HTTP.',
  description: [
    'Checks the manifests, opens the stores, loads what is bundled and listens until SIGTERM or SIGINT.',
    'With --watch, and after SIGHUP, a correct edit is served, and a wrong one is reported while the last good state keeps serving.'
  ],
  options: [
    rootOption(),
    new Option('--watch', 'Take in manifests and corpora when a file changes; of code, say what must be done.'),
    ...addressOptions(),
    new Option('--admin-port <port>', 'Port for metrics and readiness, instead of PANTRY_ADMIN_PORT.'),
    new Option(
      '--workers <count>',
      'Processes that answer, instead of PANTRY_WORKERS; auto is one on each processor core.'
    )
  ],
  examples: [
    ['pantry serve --watch', 'While you write manifests.'],
    ['pantry serve --host 0.0.0.0 --port 80', 'For others to reach.'],
    ['pantry serve --workers auto', 'With all cores of the machine.']
  ],
  exits: {
    0: 'Stopped as asked.',
    1: 'The manifests have errors.',
    3: 'The database or the port cannot be used, a migration failed, or a fault that nothing caught ended the service.'
  },
  async run(_args, { root, watch = false, host, port, adminPort, workers }, io) {
    const options = { HOST: host, PORT: port, PANTRY_ADMIN_PORT: adminPort, PANTRY_WORKERS: workers }
    const config = readConfig(io.env, options)
    const { createSpeech } = await import('../speech.ts')
    const server = await import('../workers/serve.ts')
    const { say, report } = createSpeech(io.stderr, config.logLevel, io.env)
    const stop = stopRequest(io.signals)
    let reload = (): void => undefined
    const hangUp = (): void => {
      if (lostTerminal(io.stderr)) io.signals.emit('SIGTERM')
      else reload()
    }
    io.signals.on('SIGHUP', hangUp)
    const running = await server
      .serve({ config, roots: root, watch, report, stop, stdout: io.stdout, stderr: io.stderr })
      .catch((error: unknown) => {
        if (stop.aborted) return undefined
        throw error
      })
    if (running !== undefined) {
      ;({ reload } = running)
      const registry = running.registry()
      const { absoluteUrl: absolute, documentPathOf: pathTo } = await import('../../core/discovery/pointers.ts')
      const first = absolute(registry, pathTo(registry, 'root') ?? '/')
      say(
        config.socket === undefined || config.baseUrl !== undefined
          ? `start at ${first}`
          : `start with: curl --unix-socket ${quoted(config.socket)} ${first}`
      )
      const fault = lastFault(io.signals)
      const over = AbortSignal.any([stop, fault, running.lost])
      if (!over.aborted) await once(over, 'abort')
      if (fault.aborted) {
        const { createLog } = await import('../../core/http/log.ts')
        createLog(config.logLevel, io.stderr).fatal(
          { err: fault.reason as unknown },
          'a fault that nothing caught: the service ends'
        )
      }
      say('stopping: requests in work are answered, then the stores are closed')
      await running.stop()
      await exitIfUnread(io)
      exitIfHeld(io, fault.aborted ? 3 : 0)
      if (fault.aborted) return 3
      if (running.lost.aborted && !stop.aborted) throw running.lost.reason
    }
    io.signals.off('SIGHUP', hangUp)
    return 0
  }
})
