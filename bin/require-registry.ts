import { loadOneCorpus } from '../core/corpus/load.ts'
import type { Entry } from '../core/corpus/corpus.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../core/diagnostics/format.ts'
import type { Registry } from '../core/registry/registry.ts'
import { colourSeverity } from './output/colour.ts'
import { FindingsError } from './output/exit.ts'
import { print, type Io } from './output/io.ts'
import { readRegistry } from './read-registry.ts'
import { contentRoots, loadRoots, type LoadedRoot } from './roots.ts'

/** The registry of the named roots. With errors they are printed on stderr, and the command ends with 1. Warnings are left to `validate`. */
export async function requireRegistry (names: readonly string[], io: Io): Promise<Readonly<{ registry: Registry, roots: readonly LoadedRoot[] }>> {
  const roots = await loadRoots(names)
  const { registry, diagnostics } = readRegistry(roots)
  return registry === undefined ? refuse(diagnostics, 'The manifests have', io) : { registry, roots }
}

/** The entries of one corpus of the named roots, without what reading everything takes of time and memory. */
export async function requireCorpus (names: readonly string[], corpus: string, io: Io): Promise<readonly Entry[]> {
  const found = (await contentRoots(names)).map(({ name, folder, checks }) => loadOneCorpus(name, folder, corpus, checks))
  const diagnostics = found.flatMap(one => one?.diagnostics ?? [])
  return diagnostics.some(({ severity }) => severity === 'error') ? refuse(diagnostics, `The corpus \`${corpus}\` has`, io) : found.flatMap(one => one?.loaded?.corpus.entries ?? [])
}

function refuse (diagnostics: readonly Diagnostic[], who: string, io: Io): never {
  print(io.stderr, colourSeverity(formatDiagnostics(diagnostics.filter(one => one.severity === 'error'), 'pretty'), io.stderr, io.env))
  throw new FindingsError(`${who} errors: run \`pantry validate\`.`)
}
