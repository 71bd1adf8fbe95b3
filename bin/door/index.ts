/**
 * `pantry`: services in a process of your own. The modules that read and serve them are imported when a function is
 * called: they await at their top level, which `require('pantry')` does not allow.
 *
 * @module
 */
import { readConfig, type Config } from '../config.ts'
import type { Mounted } from '../prepare.ts'
import type { ReadRegistry } from '../read-registry.ts'
import { loadRoots } from '../roots.ts'
import type { RunningServer } from '../workers/serve.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'

export type { Config } from '../config.ts'
export type { ReadRegistry } from '../read-registry.ts'
export type { Mounted } from '../prepare.ts'
export type { RunningServer } from '../workers/serve.ts'
export type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
export type { Surface } from '../../core/manifest/surface.ts'
export type { Registry } from '../../core/registry/registry.ts'

/**
 * Reads and checks the roots (folders or package names; default: those of the project). If there are errors, the result
 * has no registry.
 */
export const load = async (roots: readonly string[] = []): Promise<ReadRegistry> =>
  (await import('../read-registry.ts')).readRegistry(await loadRoots(roots))

/** Returns all mistakes in all files, with their positions. */
export const validate = async (roots: readonly string[] = []): Promise<readonly Diagnostic[]> =>
  (await load(roots)).diagnostics

/** `config` overrides values from the environment. Mistakes are printed on stderr. */
export type RunOptions = Readonly<{ roots?: readonly string[]; config?: Partial<Config> }>

const optionsOf = async ({ roots = [], config: given = {} }: RunOptions) => {
  const config = { ...readConfig(process.env), ...given }
  const { createSpeech } = await import('../speech.ts')
  const { report } = createSpeech(process.stderr, config.logLevel)
  return { config, roots, report, stderr: process.stderr }
}

/** Serves the roots until `stop` is called. Rejects if the manifests have errors. */
export const serve = async (options: RunOptions = {}): Promise<RunningServer> =>
  await (
    await import('../workers/serve.ts')
  ).serve({ ...(await optionsOf(options)), watch: false, stdout: process.stdout })

/**
 * Returns the surfaces of the roots for a Koa application of your own, as an @koa/router. Does not listen on a port;
 * `stop` closes what was opened.
 *
 *     const pantry = await mount()
 *     app.use(pantry.bodies())          // optional: `ctx.request.body` for your own routes
 *     app.use(pantry.routes())          // paths of surfaces; other requests go to the next middleware
 *     app.use(pantry.allowedMethods())  // OPTIONS, and 405 for other methods of their paths
 *     app.use(pantry.unclaimed())       // optional, last: 404 with suggestions
 */
export const mount = async (options: RunOptions = {}): Promise<Mounted> =>
  await (await import('../prepare.ts')).mount({ ...(await optionsOf(options)), checkReplies: false, checkRows: false })
