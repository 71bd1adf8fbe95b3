import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import { reportFile } from '../source/report.ts'
import type { Meaning } from './check.ts'
import { checkDeclaration } from './check-declaration.ts'
import { checkEntries, computeHashes } from './check-entries.ts'
import { checkSchemaFile } from './check-schema-file.ts'
import type { Entry } from './corpus.ts'
import { CorpusDeclaration } from './declaration.ts'
import type { LoadedCorpus } from './loaded.ts'
import { entryPlaces, holdsEntries, readEntries, shownForms } from './read-entries.ts'
import { declaredReferences, referencesIn } from './references.ts'
import { orderEntries } from './select.ts'

/** The files that make a corpus; anything else in its folder is a misspelling. */
function checkFiles (folder: string, files: ReadonlyMap<string, FolderFile>): Diagnostic[] {
  const names = [...files.keys()]
  const stray = names.filter(name => name !== 'corpus.yaml' && name !== 'schema.yaml' && !holdsEntries(name))
  const [first, second] = entryPlaces(names)
  return [
    ...stray.map(name => reportFile(files.get(name)?.path ?? name, 'C105', 'This file would not be read.', `A corpus has \`corpus.yaml\`, \`schema.yaml\` and its entries in ${shownForms}.`)),
    ...(files.has('corpus.yaml') ? [] : [reportFile(folder, 'C101', `\`${folder}\` has no \`corpus.yaml\`.`, 'Declare its title, key, order, license and source there.')]),
    ...(files.has('schema.yaml') ? [] : [reportFile(folder, 'C102', `\`${folder}\` has no \`schema.yaml\`.`, 'Write the JSON Schema of one entry there.')]),
    ...(first === undefined && stray.length === 0 ? [reportFile(folder, 'C103', `\`${folder}\` has no entries.`, `Write ${shownForms}.`)] : []),
    ...(first !== undefined && second !== undefined ? [reportFile(folder, 'C104', `\`${folder}\` has both \`${first}\` and \`${second}\`.`, 'Keep one of them.')] : [])
  ]
}

/** One corpus from its files, by name within its folder; `undefined` with diagnostics when something is wrong. `meaning` checks what its schema cannot. */
export function loadCorpus (
  root: string, folder: string, name: string, files: ReadonlyMap<string, FolderFile>, meaning: Meaning = () => []
): { loaded: LoadedCorpus | undefined, diagnostics: Diagnostic[] } {
  const failed = (diagnostics: Diagnostic[]): { loaded: undefined, diagnostics: Diagnostic[] } => ({ loaded: undefined, diagnostics })
  const [declarationFile, schemaFile] = [files.get('corpus.yaml'), files.get('schema.yaml')]
  const filesWrong = checkFiles(folder, files)
  if (declarationFile === undefined || schemaFile === undefined) return failed(filesWrong)

  const declaration = readYaml(declarationFile.path, declarationFile.bytes)
  const schemaSource = readYaml(schemaFile.path, schemaFile.bytes)
  const declarationWrong = declaration.value === undefined
    ? declaration.diagnostics
    : reportIssues(declaration, compileSchema(CorpusDeclaration)(declaration.value), { noun: 'a corpus' })
  const { schema, diagnostics: schemaWrong } = checkSchemaFile(schemaSource)
  const early = [...filesWrong, ...declarationWrong, ...schemaWrong]
  if (declarationWrong.length > 0 || schema === undefined) return failed(early)

  const declared = declaration.value as CorpusDeclaration
  const { key, title, order, license, source, roles = {} } = declared
  const { entries: given, diagnostics: entriesWrong } = readEntries(files, { declaration: declared, schema })
  const wrong = [...early, ...entriesWrong]
  const namesWrong = checkDeclaration(declaration, declared, schemaSource, schema, [...files.keys()])
  const { entries, diagnostics: typed } = computeHashes(given, declared)
  const unsure = [...namesWrong, ...typed]
  const all = [...wrong, ...unsure, ...(unsure.length > 0 ? [] : checkEntries(entries, key, schema, meaning))]
  if (all.length > 0) return failed(all)

  const refersTo = declaredReferences(schema, schemaSource)
  const ordered = orderEntries(entries.map(({ value }) => value as Entry), order, key)
  return {
    loaded: {
      corpus: { name, title, key, order, license, source, roles, schema, entries: ordered, byKey: new Map(ordered.map(entry => [entry[key] as string, entry])) },
      root,
      declaration,
      schemaSource,
      references: refersTo.length === 0 ? [] : entries.flatMap(({ file, value, place }) => referencesIn(schema, value).map(one => ({ ...one, file, place }))),
      refersTo
    },
    diagnostics: []
  }
}
