import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { deepFreeze, isObject } from '../canonical/json.ts'
import type { SlicedWork } from '../canonical/work.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import { inferSchema } from '../schema/json-schema.ts'
import { isSafePattern } from '../schema/patterns.ts'
import { getOrCompute, type BuildCache, type CacheCodec } from '../source/compiled.ts'
import { readFolder, readFolderInSlices, LoadCache, shownPath, type FolderFile } from '../source/read-folder.ts'
import { knownYaml, readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile } from '../source/report.ts'
import { nameForm } from '../vocabulary/words.ts'
import type { CheckEntry, CorpusChecks, EntriesOf, FixedDocument } from './corpus.ts'
import { checkSchemaFile } from './declaration.ts'
import { corpusCodec, loadCorpus, type CorpusResult } from './load-corpus.ts'
import type { LoadedCorpus, LoadedDocument } from './loaded.ts'

export type LoadedCorpora = Readonly<{
  corpora: readonly LoadedCorpus[]
  documents: readonly LoadedDocument[]
  /** Names of all corpora, also those with mistakes, so that a reference to one with mistakes is not reported too. */
  corpusNames: readonly string[]
  documentNames: readonly string[]
  files: readonly FolderFile[]
  diagnostics: readonly Diagnostic[]
}>

type Files = ReadonlyMap<string, FolderFile>

/** Returns the files of each folder, by name within the folder. Files in no folder are left out. */
function byFolder(files: readonly FolderFile[]): ReadonlyMap<string, Files> {
  const folders = new Map<string, Map<string, FolderFile>>()
  for (const file of files) {
    const [folder = '', ...rest] = file.name.split('/')
    if (rest.length === 0) continue
    const members = folders.get(folder) ?? new Map<string, FolderFile>()
    folders.set(folder, members.set(rest.join('/'), file))
  }
  return folders
}

const byName = (files: readonly FolderFile[]): Files => new Map(files.map(file => [file.name, file]))

/** Returns a function that reads the entries of a corpus when a check first asks for them, and only once. */
function eachOnce(read: (name: string) => CorpusResult | undefined): EntriesOf {
  const known = new Map<string, ReturnType<EntriesOf>>()
  return name => {
    if (!known.has(name)) known.set(name, read(name)?.loaded?.corpus.entries)
    return known.get(name)
  }
}

function checkOf(checks: CorpusChecks, name: string, entriesOf: EntriesOf): CheckEntry | undefined {
  const check = checks[name]
  return check === undefined ? undefined : entry => check(entry, isSafePattern, entriesOf)
}

/**
 * Loads one corpus of a root without a check of its references to other corpora; `undefined` if there is none of that
 * name. `without`: paths of files that are ignored.
 */
export function loadOneCorpus(
  root: string,
  folder: string,
  name: string,
  checks: CorpusChecks = {},
  without: ReadonlySet<string> = new Set()
): CorpusResult | undefined {
  const top = join(folder, 'corpora')
  const read = (corpus: string, check?: CheckEntry, ignored?: ReadonlySet<string>): CorpusResult | undefined => {
    const path = join(top, corpus)
    if (!existsSync(path)) return undefined
    const { files, diagnostics } = readFolder(top, corpus)
    const kept = files.filter(file => ignored?.has(file.path) !== true)
    const result = loadCorpus(root, shownPath(path), corpus, byName(kept), check)
    return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] }
  }
  return read(name, checkOf(checks, name, eachOnce(read)), without)
}

const notRead = (path: string, hint: string): Diagnostic =>
  reportFile(path, 'C105', 'This file would not be read.', hint)

export function* loadCorpora(
  root: string,
  folder: string,
  checks: CorpusChecks = {},
  reuse = new LoadCache(),
  compiled?: BuildCache
): SlicedWork<LoadedCorpora> {
  const { files, diagnostics: unread } = yield* readFolderInSlices(folder, 'corpora', reuse)
  const diagnostics = [...unread]
  const corpora: LoadedCorpus[] = []
  const folders = byFolder(files)
  const filesOf = (name: string): Files => folders.get(name) ?? new Map<string, FolderFile>()
  const shownFolder = (name: string): string => shownPath(join(folder, 'corpora', name))
  const documents = loadDocuments(root, filesOf('documents'), reuse, compiled)
  const corpusNames = [...folders.keys()].filter(name => name !== 'documents')
  const entriesOf = eachOnce(name => loadCorpus(root, shownFolder(name), name, filesOf(name)))

  for (const { name, path } of files)
    if (!name.includes('/')) diagnostics.push(notRead(path, 'Each corpus has a folder of its own.'))
  for (const name of corpusNames) {
    const shown = shownFolder(name)
    if (!nameForm.test(name)) {
      const message = `\`${name}\` is not a name of a corpus, so the folder would not be read.`
      diagnostics.push(reportFile(shown, 'C105', message, 'Use lowercase words joined by hyphens.'))
      continue
    }
    const members = filesOf(name)
    // A check may read other corpora of the root, so its result depends on the files of all of them.
    const parts = (checks[name] === undefined ? [...members.values()] : files).flatMap(file => [file.name, file.bytes])
    const result = reuse.of(shown, [checks[name], ...parts], () =>
      getOrCompute(compiled, `corpora/${name}`, parts, corpusCodec(root, members), () =>
        loadCorpus(root, shown, name, members, checkOf(checks, name, entriesOf))
      )
    )
    diagnostics.push(...result.diagnostics)
    if (result.loaded !== undefined) corpora.push(result.loaded)
    yield
  }
  diagnostics.push(...documents.diagnostics)
  return { corpora, documents: documents.loaded, corpusNames, documentNames: documents.names, files, diagnostics }
}

type DocumentResult = Readonly<{ loaded: LoadedDocument | undefined; diagnostics: readonly Diagnostic[] }>

function loadDocument(
  root: string,
  name: string,
  file: FolderFile,
  schemaFile: FolderFile | undefined
): DocumentResult {
  const source = readYaml(file.path, file.bytes)
  const { value } = source
  const declared = schemaFile === undefined ? undefined : checkSchemaFile(readYaml(schemaFile.path, schemaFile.bytes))
  const wrong = [...source.diagnostics, ...(declared?.diagnostics ?? [])]
  if (value !== undefined && !isObject(value))
    wrong.push(report(source, 'M210', [], 'A document is a mapping of fields.'))
  if (wrong.length > 0 || !isObject(value)) return { loaded: undefined, diagnostics: wrong }
  const schema = declared?.schema ?? inferSchema(value)
  const diagnostics =
    declared === undefined
      ? []
      : reportIssues(source, compileSchema(schema)(value), { noun: 'the document', code: () => 'C201' })
  return {
    loaded: diagnostics.length > 0 ? undefined : { document: { name, value, schema }, root, source },
    diagnostics
  }
}

const documentCodec = (root: string, { path, bytes }: FolderFile): CacheCodec<DocumentResult, FixedDocument> => ({
  pack: ({ loaded, diagnostics }) => (diagnostics.length > 0 ? undefined : loaded?.document),
  unpack: packed => ({
    loaded: { document: deepFreeze(packed), root, source: knownYaml(path, bytes, packed.value) },
    diagnostics: []
  })
})

function loadDocuments(
  root: string,
  files: Files,
  reuse: LoadCache,
  compiled?: BuildCache
): { names: string[]; loaded: LoadedDocument[]; diagnostics: Diagnostic[] } {
  const names: string[] = []
  const loaded: LoadedDocument[] = []
  const diagnostics: Diagnostic[] = []
  for (const [fileName, file] of files) {
    const name = /^([a-z][a-z0-9-]*)\.yaml$/.exec(fileName)?.[1]
    if (name !== undefined) {
      names.push(name)
      const schema = files.get(`${name}.schema.yaml`)
      const parts = [file.bytes, schema?.bytes]
      const result = reuse.of(file.path, parts, () =>
        getOrCompute(compiled, `documents/${name}`, parts, documentCodec(root, file), () =>
          loadDocument(root, name, file, schema)
        )
      )
      diagnostics.push(...result.diagnostics)
      if (result.loaded !== undefined) loaded.push(result.loaded)
    } else if (!/^[a-z0-9-]+\.schema\.yaml$/.test(fileName) || !files.has(fileName.replace('.schema', '')))
      diagnostics.push(notRead(file.path, 'A document is `<name>.yaml`, its schema `<name>.schema.yaml`.'))
  }
  return { names, loaded, diagnostics }
}
