import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { frozen, isObject, type JsonSchema } from '../canonical/json.ts'
import type { Sliced } from '../canonical/work.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import { inferSchema } from '../schema/json-schema.ts'
import { isSafePattern } from '../schema/patterns.ts'
import { madeOf, type Compiled, type KeptForm } from '../source/compiled.ts'
import { readFolder, readingFolder, Reuse, shownPath, type FolderFile } from '../source/read-folder.ts'
import { knownYaml, readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile } from '../source/report.ts'
import type { CorpusChecks, EntriesOf, FixedDocument, Meaning } from './corpus.ts'
import { checkSchemaFile } from './declaration.ts'
import { corpusForm, loadCorpus } from './load-corpus.ts'
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

type Made = Readonly<{ loaded: LoadedDocument | undefined; diagnostics: readonly Diagnostic[] }>

function loadDocument(root: string, name: string, file: FolderFile, schemaFile: FolderFile | undefined): Made {
  const source = readYaml(file.path, file.bytes)
  const { value } = source
  const declared = schemaFile === undefined ? undefined : checkSchemaFile(readYaml(schemaFile.path, schemaFile.bytes))
  const wrong = [
    ...source.diagnostics,
    ...(declared?.diagnostics ?? []),
    ...(value === undefined || isObject(value)
      ? []
      : [report(source, 'M210', [], 'A document is a mapping of fields.')])
  ]
  if (wrong.length > 0 || !isObject(value)) return { loaded: undefined, diagnostics: wrong }
  const schema: JsonSchema = declared?.schema ?? inferSchema(value)
  const misfits =
    declared === undefined
      ? []
      : reportIssues(source, compileSchema(schema)(value), { noun: 'the document', code: () => 'C201' })
  return {
    loaded: misfits.length > 0 ? undefined : { document: { name, value, schema }, root, source },
    diagnostics: misfits
  }
}

/** Returns how a build stores a document without mistakes. */
const documentForm = (root: string, file: FolderFile): KeptForm<Made, FixedDocument> => ({
  pack: ({ loaded, diagnostics }) => (diagnostics.length > 0 ? undefined : loaded?.document),
  unpack: packed => ({
    loaded: { document: frozen(packed), root, source: knownYaml(file.path, file.bytes, packed.value) },
    diagnostics: []
  })
})

/**
 * Loads `corpora/documents/<name>.yaml`, each with the schema in `<name>.schema.yaml` or one inferred from its value.
 */
function loadDocuments(
  root: string,
  files: ReadonlyMap<string, FolderFile>,
  reuse: Reuse,
  compiled?: Compiled
): { names: string[]; loaded: LoadedDocument[]; diagnostics: Diagnostic[] } {
  const names: string[] = []
  const loaded: LoadedDocument[] = []
  const diagnostics: Diagnostic[] = []
  for (const [fileName, file] of files) {
    const schemaOf = /^([a-z0-9-]+)\.schema\.yaml$/.exec(fileName)?.[1]
    const name = /^([a-z][a-z0-9-]*)\.yaml$/.exec(fileName)?.[1]
    if (name !== undefined) {
      names.push(name)
      const schema = files.get(`${name}.schema.yaml`)
      const parts = [file.bytes, schema?.bytes]
      const one = reuse.of(file.path, parts, () =>
        madeOf(compiled, `documents/${name}`, parts, documentForm(root, file), () =>
          loadDocument(root, name, file, schema)
        )
      )
      diagnostics.push(...one.diagnostics)
      if (one.loaded !== undefined) loaded.push(one.loaded)
    } else if (schemaOf === undefined || !files.has(`${schemaOf}.yaml`)) {
      diagnostics.push(
        reportFile(
          file.path,
          'C105',
          'This file would not be read.',
          'A document is `<name>.yaml`, its schema `<name>.schema.yaml`.'
        )
      )
    }
  }
  return { names, loaded, diagnostics }
}
