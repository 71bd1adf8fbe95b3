import { once } from 'node:events'
import { addressOptions, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig } from '../config.ts'
import { print } from '../io.ts'
import { stopRequest } from '../stop-request.ts'

export const dev = defineCommand<[], RootOptions & { host?: string; port?: string }>({
  name: 'dev',
  group: 'run',
  summary: 'Serve a service while you edit it, its code too.',
  description: [
    'Serves as `pantry serve` does, and serves each edit of a handler, view, service, manifest or corpus as it is saved.',
    'The examples that an edit concerns are asked before and after it, and what differs in their answers is printed.'
  ],
  options: [rootOption(), ...addressOptions()],
  examples: [['pantry dev', 'While you write code, manifests and corpora.']],
  exits: {
    0: 'Stopped as asked.',
    1: 'The code cannot be bundled, or the manifests have errors.',
    3: 'The database or the port cannot be used, or the package `esbuild` is not installed.'
  },
  async run(_args, { root, host, port }, io) {
    const config = readConfig(io.env, { HOST: host, PORT: port, PANTRY_WORKERS: '1', PANTRY_ADMIN_PORT: '' })
    const stop = stopRequest(io.signals)
    const { dev: start } = await import('../dev/dev.ts')
    const running = await start({ config, roots: root, stop, stdout: io.stdout, stderr: io.stderr }).catch(
      (error: unknown) => {
        if (stop.aborted) return undefined
        throw error
      }
    )
    if (running === undefined) return 0
    if (!stop.aborted) await once(stop, 'abort')
    print(io.stderr, 'stopping')
    await running.stop()
    return 0
  }
})
