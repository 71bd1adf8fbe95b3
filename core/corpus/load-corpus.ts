import { deepFreeze, isObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import { hasErrors, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import type { CacheCodec } from '../source/compiled.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { knownYaml, readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import type { Pointer, SourceFile } from '../source/report.ts'
import { checkEntries, computeHashes, declaredReferences, referencesIn } from './check-entries.ts'
import type { CheckEntry, Corpus, Entry, Table } from './corpus.ts'
import { checkDeclaration, checkSchemaFile, CorpusDeclaration } from './declaration.ts'
import { byLanguage, checkFiles, checkLanguages, readEntries } from './entry-files.ts'
import type { LoadedCorpus, SourceEntry, Reference } from './loaded.ts'
import { ordered, translate, translationsOf } from './translations.ts'

/** Returns the languages of a declaration that has not been checked yet. */
const languagesIn = (declaration: JsonValue | undefined): readonly string[] => {
  const languages = isObject(declaration) ? declaration['languages'] : undefined
  return Array.isArray(languages) ? languages.filter((tag): tag is string => typeof tag === 'string') : []
}

const isTable = (declaration: JsonValue | undefined): boolean =>
  isObject(declaration) && declaration['table'] !== undefined

/** The corpus (`undefined` if it has errors), and its diagnostics. */
export type CorpusResult = Readonly<{ loaded: LoadedCorpus | undefined; diagnostics: Diagnostic[] }>

/** Loads a corpus from the files of its folder, by name. `checkEntry` checks what the schema cannot express. */
export function loadCorpus(
  root: string,
  folder: string,
  name: string,
  files: ReadonlyMap<string, FolderFile>,
  checkEntry: CheckEntry = () => []
): CorpusResult {
  const [declarationFile, schemaFile] = [files.get('corpus.yaml'), files.get('schema.yaml')]
  const declaration = declarationFile === undefined ? undefined : readYaml(declarationFile.path, declarationFile.bytes)
  const byTag = byLanguage(files, languagesIn(declaration?.value))
  const filesWrong = [...checkFiles(folder, byTag, isTable(declaration?.value)), ...byTag.diagnostics]
  if (declaration === undefined || schemaFile === undefined) return { loaded: undefined, diagnostics: filesWrong }

  const schemaSource = readYaml(schemaFile.path, schemaFile.bytes)
  const declarationWrong =
    declaration.value === undefined
      ? declaration.diagnostics
      : reportIssues(declaration, compileSchema(CorpusDeclaration)(declaration.value), { noun: 'a corpus' })
  const { schema, diagnostics: schemaWrong } = checkSchemaFile(schemaSource)
  const early = [...filesWrong, ...declarationWrong, ...schemaWrong]
  if (declarationWrong.length > 0 || schema === undefined) return { loaded: undefined, diagnostics: early }

  const declared = declaration.value as CorpusDeclaration
  const { key, title, order, license, source, roles = {}, keep = [], languages = [], table, search } = declared
  const context = { declaration: declared, schema }
  const { entries: read, diagnostics: entriesWrong } = readEntries(byTag.own, context)
  const namesWrong = [...checkDeclaration(declaration, declared, schemaSource, schema, [...files.keys()])]
  const { entries, diagnostics: hashesWrong } = computeHashes(read, declared)
  const unsure = [...namesWrong, ...hashesWrong]
  const misfits = unsure.length > 0 ? [] : checkEntries(entries, key, schema, checkEntry)
  // If an entry of the default language could not be read, a translation of it would be reported by mistake, so
  // translations are then checked alone.
  const originals =
    early.length + entriesWrong.length > 0
      ? undefined
      : new Map(
          entries.flatMap(({ value }) =>
            isObject(value) && typeof value[key] === 'string' ? [[value[key], value]] : []
          )
        )
  const checkWhole = (whole: readonly SourceEntry[]): Diagnostic[] =>
    unsure.length + misfits.length > 0 ? [] : checkEntries(whole, key, schema, checkEntry)
  const translated = new Map(
    [...(namesWrong.length > 0 ? [] : byTag.others)].map(([tag, translations]) => [
      tag,
      translate(translations, context, originals, checkWhole)
    ])
  )
  const diagnostics = [
    ...early,
    ...entriesWrong,
    ...unsure,
    ...misfits,
    ...checkLanguages(declaration, languages, byTag),
    ...[...translated.values()].flatMap(one => one.diagnostics)
  ]
  if (hasErrors(diagnostics)) return { loaded: undefined, diagnostics }

  const refersTo = declaredReferences(schemaSource.value as JsonSchema, schemaSource)
  const everything = refersTo.length === 0 ? [] : [entries, ...[...translated.values()].map(one => one.parts)].flat()
  const corpus: Corpus = {
    name,
    title,
    key,
    order,
    license,
    source,
    roles,
    keep,
    schema,
    ...(table === undefined ? {} : { table: tableOf(table, search) }),
    ...ordered(
      entries.map(({ value }) => value as Entry),
      { order, key }
    )
  }
  const [language] = languages
  return {
    loaded: {
      corpus:
        language === undefined ? corpus : { ...corpus, translations: translationsOf(corpus, language, translated) },
      root,
      declaration,
      schemaSource,
      references: everything.flatMap(({ file, value, place }) =>
        referencesIn(schema, value).map(one => ({ ...one, file, place }))
      ),
      refersTo
    },
    diagnostics
  }
}

const tableOf = (name: string, search: CorpusDeclaration['search']): Table =>
  search === undefined ? { name } : { name, search: { column: search.column, language: search.language ?? 'simple' } }

type Packed = Readonly<{
  corpus: Corpus
  declaration: JsonValue | undefined
  schema: JsonValue | undefined
  /** `name`: name of the file that contains the key, within the folder of the corpus. */
  references: readonly (Omit<Reference, 'file' | 'place'> & Readonly<{ name: string }>)[]
  refersTo: readonly Readonly<{ corpus: string; pointer: Pointer }>[]
}>

/** How a build stores a corpus without mistakes. When the place of a reference is needed, the corpus is read again. */
export function corpusCodec(root: string, files: ReadonlyMap<string, FolderFile>): CacheCodec<CorpusResult, Packed> {
  const sourceOf = (name: string, value: JsonValue | undefined): SourceFile => {
    const { path = name, bytes = new Uint8Array() } = files.get(name) ?? {}
    return knownYaml(path, bytes, deepFreeze(value))
  }
  return {
    pack({ loaded, diagnostics }) {
      if (loaded === undefined || diagnostics.length > 0) return undefined
      const names = new Map([...files].map(([name, { path }]) => [path, name]))
      return {
        corpus: loaded.corpus,
        declaration: loaded.declaration.value,
        schema: loaded.schemaSource.value,
        references: loaded.references.map(({ corpus, key, pointer, file }) => ({
          corpus,
          key,
          pointer,
          name: names.get(file) ?? ''
        })),
        refersTo: loaded.refersTo.map(({ corpus, place: { pointer } }) => ({ corpus, pointer }))
      }
    },
    unpack({ corpus, declaration, schema, references, refersTo }, again) {
      const placeAgain = (at: number): ReturnType<Reference['place']> => {
        const reference = again().loaded?.references[at]
        if (reference === undefined) throw new Error(`The corpus ${corpus.name} is another when it is read again.`)
        return reference.place()
      }
      const source = sourceOf('schema.yaml', schema)
      return {
        loaded: {
          corpus: deepFreeze(corpus),
          root,
          declaration: sourceOf('corpus.yaml', declaration),
          schemaSource: source,
          references: references.map(({ name, ...one }, at) => ({
            ...one,
            file: files.get(name)?.path ?? name,
            place: () => placeAgain(at)
          })),
          refersTo: refersTo.map(({ corpus, pointer }) => ({ corpus, place: { source, pointer } }))
        },
        diagnostics: []
      }
    }
  }
}
