/** `pantry`: services in a process of your own. */
import { readConfig, type Config } from '../config.ts'
import { readRegistry, type ReadRegistry } from '../read-registry.ts'
import { loadRoots } from '../roots.ts'
import { serve as start, type RunningServer } from '../serve.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../../core/diagnostics/format.ts'

export type { Config } from '../config.ts'
export type { ReadRegistry } from '../read-registry.ts'
export type { RunningServer } from '../serve.ts'
export type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
export type { Surface } from '../../core/manifest/surface.ts'
export type { Registry } from '../../core/registry/registry.ts'

/** Reads and checks the roots (folders or package names; default those of the project). With errors there is no registry. */
export const load = async (roots: readonly string[] = []): Promise<ReadRegistry> => readRegistry(await loadRoots(roots))

/** Every mistake of every file, with its place. */
export const validate = async (roots: readonly string[] = []): Promise<readonly Diagnostic[]> => (await load(roots)).diagnostics

/**
 * Serves the roots until `stop` is called. `config` replaces what the environment says. Mistakes are printed on stderr; with errors it rejects.
 */
export const serve = async ({ roots = [], config = {} }: Readonly<{ roots?: readonly string[], config?: Partial<Config> }> = {}): Promise<RunningServer> => start({
  config: { ...readConfig(process.env), ...config },
  roots,
  watch: false,
  report: diagnostics => { if (diagnostics.length > 0) process.stderr.write(`${formatDiagnostics(diagnostics, 'pretty')}\n`) },
  stdout: process.stdout,
  stderr: process.stderr
})
