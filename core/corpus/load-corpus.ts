import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestion } from '../diagnostics/suggest.ts'
import { compileSchema } from '../schema/compile.ts'
import { isSafePattern } from '../schema/patterns.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, reportFile } from '../source/report.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { CorpusCheck } from './check.ts'
import { withHash } from './computed-hash.ts'
import { checkSchemaFile } from './check-schema-file.ts'
import type { Entry } from './corpus.ts'
import { CorpusDeclaration } from './declaration.ts'
import type { LoadedCorpus, Place } from './loaded.ts'
import { declaredReferences, referencesIn } from './references.ts'
import { orderEntries } from './select.ts'

type Placed = Readonly<{ value: JsonValue, place: Place, fileName: string | undefined }>

/** The entries of `entries.yaml` (a list) or of `entries/*.yaml` (one each). */
function readEntries (files: ReadonlyMap<string, FolderFile>): { entries: Placed[], diagnostics: Diagnostic[] } {
  const entries: Placed[] = []
  const diagnostics: Diagnostic[] = []
  for (const [name, file] of files) {
    if (name !== 'entries.yaml' && !name.startsWith('entries/')) continue
    const source = readYaml(file.path, file.bytes)
    diagnostics.push(...source.diagnostics)
    if (source.value === undefined) continue
    if (name === 'entries.yaml') {
      if (Array.isArray(source.value)) entries.push(...(source.value as JsonValue[]).map((value, index) => ({ value, place: { source, pointer: [index] }, fileName: undefined })))
      else diagnostics.push(report(source, 'C201', [], '`entries.yaml` must be a list of entries.', { hint: 'Start each entry with `- `.' }))
    } else {
      entries.push({ value: source.value, place: { source, pointer: [] }, fileName: name.slice('entries/'.length, -'.yaml'.length) })
    }
  }
  return { entries, diagnostics }
}

function checkDeclaration (source: SourceFile, schemaSource: SourceFile, schema: JsonSchema): Diagnostic[] {
  const { key, order, roles = {}, hash } = source.value as unknown as CorpusDeclaration
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined ?? {}
  const isRequired = (schema['required'] as string[] | undefined ?? []).includes(key)
  const unknown = (pointer: (string | number)[], field: string): Diagnostic[] => field in properties ? [] : [
    report(source, 'C207', pointer, `\`${schemaSource.file}\` has no property \`${field}\`.`, { hint: suggestion(field, Object.keys(properties)) })
  ]
  return [
    ...(isRequired && properties[key]?.['type'] === 'string' ? [] : [
      report(source, 'C206', ['key'], `\`${key}\` is not a required property of type string in \`${schemaSource.file}\`.`, { hint: key in properties ? `Give it \`type: string\` and list it under \`required\`.` : suggestion(key, Object.keys(properties)) })
    ]),
    ...order.flatMap((name, index) => unknown(['order', index], name.replace(/^-/, ''))),
    ...Object.entries(roles).flatMap(([role, field]) => unknown(['roles', role], field)),
    ...(hash === undefined ? [] : [...unknown(['hash', 'field'], hash.field), ...hash.over.flatMap((name, index) => unknown(['hash', 'over', index], name))]),
    ...(hash?.over.includes(hash.field) === true ? [report(source, 'C209', ['hash', 'over', hash.over.indexOf(hash.field)], `The hash \`${hash.field}\` cannot cover itself.`, { hint: 'Remove it from `over`.' })] : [])
  ]
}

function checkEntries (entries: readonly Placed[], key: string, schema: JsonSchema, meaning: CorpusCheck): Diagnostic[] {
  const check = compileSchema(schema)
  const places = new Map<string, Place>()
  return entries.flatMap(({ value, place, fileName }) => {
    const { source, pointer } = place
    const issues = reportIssues(source, check(value), { noun: 'an entry', code: () => 'C201', base: pointer })
    if (issues.length > 0) return issues
    const id = (value as JsonObject)[key] as string
    const earlier = places.get(id)
    if (earlier !== undefined) {
      const { line } = earlier.source.locate([...earlier.pointer, key])
      return [report(source, 'C202', [...pointer, key], `The key \`${id}\` is already used in ${earlier.source.file}:${line}.`, { hint: 'Keys are unique within a corpus.' })]
    }
    places.set(id, place)
    const problems = meaning(value as JsonObject, isSafePattern).map(one => report(source, 'C208', [...pointer, ...one.pointer], one.message, { hint: one.hint }))
    if (problems.length > 0) return problems
    return fileName === undefined || fileName === id ? [] : [
      report(source, 'C203', [...pointer, key], `The file is named \`${fileName}\`, but its key is \`${id}\`.`, { hint: `Rename the file to \`${id}.yaml\`, or change the key.` })
    ]
  })
}

/** The entries with what their corpus computes; a typed value would be a second truth. */
function computeHashes (entries: readonly Placed[], declaration: CorpusDeclaration): { entries: Placed[], diagnostics: Diagnostic[] } {
  const field = declaration.hash?.field
  const diagnostics = field === undefined ? [] : entries.flatMap(({ value, place: { source, pointer } }) => !isObject(value) || value[field] === undefined ? [] : [
    report(source, 'C209', [...pointer, field], `\`${field}\` is computed, so no entry gives it.`, { on: 'key', hint: 'Remove it.' })
  ])
  return { entries: entries.map(one => isObject(one.value) ? { ...one, value: withHash(one.value, declaration) } : one), diagnostics }
}

/** The files that make a corpus; anything else in its folder is a misspelling. */
function checkFiles (folder: string, files: ReadonlyMap<string, FolderFile>): Diagnostic[] {
  const names = [...files.keys()]
  const inFolder = names.some(name => name.startsWith('entries/'))
  const stray = names.filter(name => !/^(corpus\.yaml|schema\.yaml|entries\.yaml|entries\/[^/]+\.yaml)$/.test(name))
  const missing = (name: string): boolean => !files.has(name)
  return [
    ...stray.map(name => reportFile(files.get(name)?.path ?? name, 'C105', 'This file would not be read.', 'A corpus has `corpus.yaml`, `schema.yaml` and `entries.yaml` or `entries/<key>.yaml`.')),
    ...(missing('corpus.yaml') ? [reportFile(folder, 'C101', `\`${folder}\` has no \`corpus.yaml\`.`, 'Declare its title, key, order, license and source there.')] : []),
    ...(missing('schema.yaml') ? [reportFile(folder, 'C102', `\`${folder}\` has no \`schema.yaml\`.`, 'Write the JSON Schema of one entry there.')] : []),
    ...(missing('entries.yaml') && !inFolder && stray.length === 0 ? [reportFile(folder, 'C103', `\`${folder}\` has no entries.`, 'Write `entries.yaml` or `entries/<key>.yaml`.')] : []),
    ...(!missing('entries.yaml') && inFolder ? [reportFile(folder, 'C104', `\`${folder}\` has both \`entries.yaml\` and \`entries/\`.`, 'Keep one of them.')] : [])
  ]
}

/** One corpus from its files, by name within its folder; `undefined` with diagnostics when something is wrong. `meaning` checks what its schema cannot. */
export function loadCorpus (
  root: string, folder: string, name: string, files: ReadonlyMap<string, FolderFile>, meaning: CorpusCheck = () => []
): { loaded: LoadedCorpus | undefined, diagnostics: Diagnostic[] } {
  const failed = (diagnostics: Diagnostic[]): { loaded: undefined, diagnostics: Diagnostic[] } => ({ loaded: undefined, diagnostics })
  const [declarationFile, schemaFile] = [files.get('corpus.yaml'), files.get('schema.yaml')]
  const filesWrong = checkFiles(folder, files)
  if (declarationFile === undefined || schemaFile === undefined) return failed(filesWrong)

  const declaration = readYaml(declarationFile.path, declarationFile.bytes)
  const schemaSource = readYaml(schemaFile.path, schemaFile.bytes)
  const declarationWrong = declaration.value === undefined
    ? declaration.diagnostics
    : reportIssues(declaration, compileSchema(CorpusDeclaration as unknown as JsonSchema)(declaration.value), { noun: 'a corpus' })
  const { schema, diagnostics: schemaWrong } = checkSchemaFile(schemaSource)
  const { entries: given, diagnostics: entriesWrong } = readEntries(files)
  const wrong = [...filesWrong, ...declarationWrong, ...schemaWrong, ...entriesWrong]
  if (declarationWrong.length > 0 || schema === undefined) return failed(wrong)

  const { key, title, order, license, source, roles = {}, used_by: usedBy } = declaration.value as unknown as CorpusDeclaration
  const namesWrong = checkDeclaration(declaration, schemaSource, schema)
  const { entries, diagnostics: typed } = computeHashes(given, declaration.value as unknown as CorpusDeclaration)
  const unsure = [...namesWrong, ...typed]
  const all = [...wrong, ...unsure, ...(unsure.length > 0 ? [] : checkEntries(entries, key, schema, meaning))]
  if (all.length > 0) return failed(all)

  const ordered = orderEntries(entries.map(({ value }) => value as Entry), order, key)
  return {
    loaded: {
      corpus: { name, title, key, order, license, source, roles, schema, entries: ordered, byKey: new Map(ordered.map(entry => [entry[key] as string, entry])) },
      root,
      declaration,
      schemaSource,
      usedByCode: usedBy === 'code',
      references: entries.flatMap(({ value, place }) => referencesIn(schema, value, place.source, place.pointer)),
      refersTo: declaredReferences(schema, schemaSource)
    },
    diagnostics: []
  }
}
