import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Sliced } from '../canonical/slices.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { madeOf, type Compiled } from '../source/compiled.ts'
import { readFolder, readingFolder, shownPath, type FolderFile } from '../source/read-folder.ts'
import { Reuse } from '../source/reuse.ts'
import { reportFile } from '../source/report.ts'
import { isSafePattern } from '../schema/patterns.ts'
import type { CorpusChecks, EntriesOf, Meaning } from './check.ts'
import { corpusForm } from './compiled-corpus.ts'
import { loadCorpus } from './load-corpus.ts'
import { loadDocuments } from './load-documents.ts'
import type { LoadedCorpus, LoadedDocument } from './loaded.ts'

export type LoadedCorpora = Readonly<{
  corpora: readonly LoadedCorpus[]
  documents: readonly LoadedDocument[]
  /**
   * Names of all corpora and documents, including those with mistakes, so that a reference to one of them is not
   * reported too.
   */
  corpusNames: readonly string[]
  documentNames: readonly string[]
  files: readonly FolderFile[]
  diagnostics: readonly Diagnostic[]
}>

/** Groups files by folder, then by name within it. */
function byFolder(files: readonly FolderFile[]): Map<string, Map<string, FolderFile>> {
  const folders = new Map<string, Map<string, FolderFile>>()
  for (const file of files) {
    const [folder = '', ...rest] = file.name.split('/')
    if (rest.length === 0) continue
    const members = folders.get(folder) ?? new Map<string, FolderFile>()
    folders.set(folder, members.set(rest.join('/'), file))
  }
  return folders
}

const byName = (files: readonly FolderFile[]): ReadonlyMap<string, FolderFile> =>
  new Map(files.map(file => [file.name, file]))

/** Returns a function that reads each corpus only once, when a check first asks for it. */
function eachOnce(read: EntriesOf): EntriesOf {
  const known = new Map<string, ReturnType<EntriesOf>>()
  return name => {
    if (!known.has(name)) known.set(name, read(name))
    return known.get(name)
  }
}

const meaningOf = (checks: CorpusChecks, name: string, entriesOf: EntriesOf): Meaning | undefined => {
  const check = checks[name]
  return check === undefined ? undefined : entry => check(entry, isSafePattern, entriesOf)
}

/**
 * Loads a single corpus of a root; `undefined` if the root has none of that name. Its references to other corpora are
 * not checked. The files in `without` are ignored.
 */
export function loadOneCorpus(
  root: string,
  folder: string,
  name: string,
  checks: CorpusChecks = {},
  without: ReadonlySet<string> = new Set()
): ReturnType<typeof loadCorpus> | undefined {
  const top = join(folder, 'corpora')
  if (!existsSync(join(top, name))) return undefined
  const { files: all, diagnostics } = readFolder(top, name)
  const files = all.filter(({ path }) => !without.has(path))
  const entriesOf = eachOnce(other => {
    if (!existsSync(join(top, other))) return undefined
    const { files } = readFolder(top, other)
    return loadCorpus(root, shownPath(join(top, other)), other, byName(files)).loaded?.corpus.entries
  })
  const { loaded, diagnostics: found } = loadCorpus(
    root,
    shownPath(join(top, name)),
    name,
    byName(files),
    meaningOf(checks, name, entriesOf)
  )
  return { loaded, diagnostics: [...diagnostics, ...found] }
}

/** Loads all corpora and documents below `<folder>/corpora` of one root. */
export function* loadCorpora(
  root: string,
  folder: string,
  checks: CorpusChecks = {},
  reuse = new Reuse(),
  compiled?: Compiled
): Sliced<LoadedCorpora> {
  const { files, diagnostics } = yield* readingFolder(folder, 'corpora', reuse)
  const found: Diagnostic[] = [...diagnostics]
  const corpora: LoadedCorpus[] = []
  const folders = byFolder(files)
  const documents = loadDocuments(root, folders.get('documents') ?? new Map<string, FolderFile>(), reuse, compiled)
  const corpusNames = [...folders.keys()].filter(name => name !== 'documents')

  const entriesOf = eachOnce(
    name =>
      loadCorpus(
        root,
        shownPath(join(folder, 'corpora', name)),
        name,
        folders.get(name) ?? new Map<string, FolderFile>()
      ).loaded?.corpus.entries
  )

  for (const file of files)
    if (!file.name.includes('/'))
      found.push(reportFile(file.path, 'C105', 'This file would not be read.', 'Each corpus has a folder of its own.'))
  for (const name of corpusNames) {
    const members = folders.get(name) ?? new Map<string, FolderFile>()
    const shown = shownPath(join(folder, 'corpora', name))
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
      found.push(
        reportFile(
          shown,
          'C105',
          `\`${name}\` is not a name of a corpus, so the folder would not be read.`,
          'Use lowercase words joined by hyphens.'
        )
      )
      continue
    }
    // A check may read other corpora of the root, so its result depends on the files of all of them.
    const parts = (checks[name] === undefined ? [...members.values()] : files).flatMap(file => [file.name, file.bytes])
    const one = reuse.of(shown, [checks[name], ...parts], () =>
      madeOf(compiled, `corpora/${name}`, parts, corpusForm(root, members), () =>
        loadCorpus(root, shown, name, members, meaningOf(checks, name, entriesOf))
      )
    )
    found.push(...one.diagnostics)
    if (one.loaded !== undefined) corpora.push(one.loaded)
    yield
  }
  return {
    corpora,
    documents: documents.loaded,
    corpusNames,
    documentNames: documents.names,
    files,
    diagnostics: [...found, ...documents.diagnostics]
  }
}
