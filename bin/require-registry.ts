import { loadOneCorpus } from '../core/corpus/load.ts'
import type { Entry } from '../core/corpus/corpus.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../core/diagnostics/format.ts'
import type { Registry } from '../core/registry/registry.ts'
import { colourSeverity } from './output/colour.ts'
import { FindingsError } from './output/exit.ts'
import { count, print, type Io } from './output/io.ts'
import { readRegistry } from './read-registry.ts'
import { contentRoots, loadRoots, type LoadedRoot } from './roots.ts'

/** The registry of the named roots. With errors they are printed on stderr, and the command ends with 1. Warnings are left to `validate`. */
export async function requireRegistry (names: readonly string[], io: Io): Promise<Readonly<{ registry: Registry, roots: readonly LoadedRoot[] }>> {
  const roots = await loadRoots(names)
  const { registry, diagnostics } = readRegistry(roots)
  return registry === undefined ? refuse(diagnostics, 'The manifests have', io) : { registry, roots }
}

/** What can be read of the named roots in spite of mistakes in some files, which are counted on stderr. Without a service the command ends with 1. */
export async function requireReadable (names: readonly string[], io: Io): Promise<Readonly<{ registry: Registry, roots: readonly LoadedRoot[] }>> {
  const roots = await loadRoots(names)
  const { readable, diagnostics } = readRegistry(roots)
  if (readable === undefined) return refuse(diagnostics, 'The service has', io)
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  if (errors > 0) print(io.stderr, `${count(errors, 'mistake')} in other files: run \`pantry validate\` to see them.`)
  return { registry: readable, roots }
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
