import { parse } from 'node:path'
import { runSync, type SlicedWork } from '../core/canonical/work.ts'
import type { CorpusCheck, Entry } from '../core/corpus/corpus.ts'
import { loadOneCorpus } from '../core/corpus/load.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../core/diagnostics/format.ts'
import { kinds } from '../core/kinds/index.ts'
import { loadRegistryInSlices, withBaseUrl, type Loaded } from '../core/registry/load.ts'
import type { Registry } from '../core/registry/registry.ts'
import type { LoadCache } from '../core/source/read-folder.ts'
import { colourSeverity, count, FindingsError, print, type Io } from './io.ts'
import { contentRoots, loadRoots, type LoadedRoot } from './roots.ts'

/** What was read, and every mistake in it. */
export type ReadRegistry = Loaded

/** Reads and checks every file of the roots. */
export const readRegistry = (roots: readonly LoadedRoot[], baseUrl?: string, reuse?: LoadCache): ReadRegistry =>
  runSync(readingRegistry(roots, baseUrl, reuse))

export function* readingRegistry(
  roots: readonly LoadedRoot[],
  baseUrl?: string,
  reuse?: LoadCache
): SlicedWork<ReadRegistry> {
  const loaded = yield* loadRegistryInSlices({ roots, kinds, ...(reuse === undefined ? {} : { reuse }) })
  return loaded.registry === undefined || baseUrl === undefined
    ? loaded
    : { ...loaded, registry: withBaseUrl(loaded.registry, baseUrl) }
}

type RequiredRegistry = Readonly<{ registry: Registry; roots: readonly LoadedRoot[] }>

/**
 * Returns the registry of the named roots. Errors are printed and end the command with 1; warnings are left to
 * `validate`.
 */
export async function requireRegistry(names: readonly string[], io: Io): Promise<RequiredRegistry> {
  const roots = await loadRoots(names)
  const { registry, diagnostics } = readRegistry(roots)
  return registry === undefined ? refuse(diagnostics, 'The manifests have', io) : { registry, roots }
}

/**
 * Returns the valid part of the named roots, and prints the number of mistakes in the rest. If the service itself
 * cannot be read the command ends with 1.
 */
export async function requireReadable(names: readonly string[], io: Io): Promise<RequiredRegistry> {
  const roots = await loadRoots(names)
  const { readable, diagnostics } = readRegistry(roots)
  if (readable === undefined) return refuse(diagnostics, 'The service has', io)
  const errors = errorsOf(diagnostics).length
  if (errors > 0) print(io.stderr, `${count(errors, 'mistake')} in other files: run \`pantry validate\` to see them.`)
  return { registry: readable, roots }
}

/**
 * Returns the entries of one corpus of the named roots. Reads no manifest, and other corpora only if a check of this
 * one asks for them. Errors are printed and end the command with 1.
 */
export async function requireCorpus(names: readonly string[], corpus: string, io: Io): Promise<readonly Entry[]> {
  const found = (await contentRoots(names)).map(({ name, folder, checks }) =>
    loadOneCorpus(name, folder, corpus, checks)
  )
  const diagnostics = found.flatMap(one => one?.diagnostics ?? [])
  return errorsOf(diagnostics).length > 0
    ? refuse(diagnostics, `The corpus \`${corpus}\` has`, io)
    : found.flatMap(one => one?.loaded?.corpus.entries ?? [])
}

export const errorsOf = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error')

const show = (diagnostics: readonly Diagnostic[], io: Io): void => {
  print(io.stderr, colourSeverity(formatDiagnostics(errorsOf(diagnostics), 'pretty'), io.stderr, io.env))
}

/**
 * Returns the valid entries of one corpus. Mistakes in its other entries are printed, and `broken` lists their files
 * without extension. If the corpus itself has mistakes the command ends with 1.
 */
export async function readableCorpus(
  names: readonly string[],
  corpus: string,
  io: Io
): Promise<Readonly<{ entries: readonly Entry[]; broken: readonly string[] }>> {
  const entries: Entry[] = []
  const broken: string[] = []
  for (const { name, folder, checks } of await contentRoots(names)) {
    const { diagnostics = [] } = loadOneCorpus(name, folder, corpus, checks) ?? {}
    const files = new Set(errorsOf(diagnostics).map(({ file }) => file))
    const rest = loadOneCorpus(name, folder, corpus, checks, files)
    if (errorsOf(rest?.diagnostics ?? []).length > 0) return refuse(diagnostics, `The corpus \`${corpus}\` has`, io)
    if (files.size > 0) show(diagnostics, io)
    broken.push(...[...files].map(file => parse(file).name))
    entries.push(...(rest?.loaded?.corpus.entries ?? []))
  }
  return { entries, broken }
}

/** Prints the problems that `problemsOf` finds in entries of a corpus, each with its position. */
export async function showProblems(
  names: readonly string[],
  corpus: string,
  problemsOf: CorpusCheck,
  io: Io
): Promise<void> {
  for (const { name, folder } of await contentRoots(names))
    show(loadOneCorpus(name, folder, corpus, { [corpus]: problemsOf })?.diagnostics ?? [], io)
}

function refuse(diagnostics: readonly Diagnostic[], who: string, io: Io): never {
  show(diagnostics, io)
  throw new FindingsError(`${who} errors: run \`pantry validate\`.`)
}
