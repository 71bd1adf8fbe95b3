import { frozen, isObject, type JsonValue } from '../canonical/json.ts'
import { hasErrors, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import type { KeptForm } from '../source/compiled.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { knownYaml, readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import type { Pointer } from '../source/report.ts'
import { checkEntries, computeHashes, declaredReferences, referencesIn } from './check-entries.ts'
import type { Corpus, Entry, Meaning } from './corpus.ts'
import { checkDeclaration, checkSchemaFile, CorpusDeclaration } from './declaration.ts'
import { byLanguage, checkFiles, checkLanguages, readEntries } from './entry-files.ts'
import type { LoadedCorpus, Placed, Reference } from './loaded.ts'
import { ordered, translate, translationsOf } from './translations.ts'

/** Returns the languages of a declaration that has not been checked yet. */
const languagesIn = (declaration: JsonValue | undefined): readonly string[] => {
  const languages = isObject(declaration) ? declaration['languages'] : undefined
  return Array.isArray(languages) ? languages.filter((tag): tag is string => typeof tag === 'string') : []
}

/**
 * Loads one corpus from its files, which are given by name within its folder; `undefined` with diagnostics if there are
 * errors. `meaning` checks what the schema cannot express.
 */
export function loadCorpus(
  root: string,
  folder: string,
  name: string,
  files: ReadonlyMap<string, FolderFile>,
  meaning: Meaning = () => []
): { loaded: LoadedCorpus | undefined; diagnostics: Diagnostic[] } {
  const failed = (diagnostics: Diagnostic[]): { loaded: undefined; diagnostics: Diagnostic[] } => ({
    loaded: undefined,
    diagnostics
  })
  const [declarationFile, schemaFile] = [files.get('corpus.yaml'), files.get('schema.yaml')]
  const declaration = declarationFile === undefined ? undefined : readYaml(declarationFile.path, declarationFile.bytes)
  const spoken = byLanguage(files, languagesIn(declaration?.value))
  const filesWrong = [...checkFiles(folder, spoken), ...spoken.diagnostics]
  if (declaration === undefined || schemaFile === undefined) return failed(filesWrong)

  const schemaSource = readYaml(schemaFile.path, schemaFile.bytes)
  const declarationWrong =
    declaration.value === undefined
      ? declaration.diagnostics
      : reportIssues(declaration, compileSchema(CorpusDeclaration)(declaration.value), { noun: 'a corpus' })
  const { schema, diagnostics: schemaWrong } = checkSchemaFile(schemaSource)
  const early = [...filesWrong, ...declarationWrong, ...schemaWrong]
  if (declarationWrong.length > 0 || schema === undefined) return failed(early)

  const declared = declaration.value as CorpusDeclaration
  const { key, title, order, license, source, roles = {}, keep = [], languages: [language] = [] } = declared
  const given = { declaration: declared, schema }
  const { entries: read, diagnostics: entriesWrong } = readEntries(spoken.own, given)
  const namesWrong = checkDeclaration(declaration, declared, schemaSource, schema, [...files.keys()])
  const { entries, diagnostics: typed } = computeHashes(read, declared)
  const unsure = [...namesWrong, ...typed]
  const misfits = unsure.length > 0 ? [] : checkEntries(entries, key, schema, meaning)
  // If an original could not be read, a translation of it would be reported by mistake, so translations are then
  // checked alone.
  const originals =
    early.length + entriesWrong.length > 0
      ? undefined
      : new Map(
          entries.flatMap(({ value }) =>
            isObject(value) && typeof value[key] === 'string' ? [[value[key], value]] : []
          )
        )
  const checkWhole = (whole: readonly Placed[]): Diagnostic[] =>
    unsure.length + misfits.length > 0 ? [] : checkEntries(whole, key, schema, meaning)
  const translated = new Map(
    [...(namesWrong.length > 0 ? [] : spoken.others)].map(([tag, own]) => [
      tag,
      translate(own, given, originals, checkWhole)
    ])
  )
  const all = [
    ...early,
    ...entriesWrong,
    ...unsure,
    ...misfits,
    ...checkLanguages(declaration, declared.languages ?? [], spoken),
    ...[...translated.values()].flatMap(({ diagnostics }) => diagnostics)
  ]
  if (hasErrors(all)) return failed(all)

  const refersTo = declaredReferences(schema, schemaSource)
  const everything = [...entries, ...[...translated.values()].flatMap(({ parts }) => parts)]
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
    ...ordered(
      entries.map(({ value }) => value as Entry),
      { order, key }
    )
  }
  return {
    loaded: {
      corpus:
        language === undefined ? corpus : { ...corpus, translations: translationsOf(corpus, language, translated) },
      root,
      declaration,
      schemaSource,
      references:
        refersTo.length === 0
          ? []
          : everything.flatMap(({ file, value, place }) =>
              referencesIn(schema, value).map(one => ({ ...one, file, place }))
            ),
      refersTo
    },
    diagnostics: all
  }
}

type Packed = Readonly<{
  corpus: Corpus
  declaration: JsonValue | undefined
  schema: JsonValue | undefined
  /** `name` is the name of the file within the corpus folder. */
  references: readonly (Pick<Reference, 'corpus' | 'key' | 'pointer'> & Readonly<{ name: string }>)[]
  refersTo: readonly Readonly<{ corpus: string; pointer: Pointer }>[]
}>

/**
 * Returns how a build stores a corpus without mistakes. The places of its references are not stored; when one is
 * needed, the corpus is read again.
 */
export function corpusForm(
  root: string,
  files: ReadonlyMap<string, FolderFile>
): KeptForm<ReturnType<typeof loadCorpus>, Packed> {
  const known = (name: string, value: JsonValue | undefined): ReturnType<typeof knownYaml> =>
    knownYaml(files.get(name)?.path ?? name, files.get(name)?.bytes ?? new Uint8Array(), value)
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
      const schemaSource = known('schema.yaml', frozen(schema))
      return {
        loaded: {
          corpus: frozen(corpus),
          root,
          declaration: known('corpus.yaml', frozen(declaration)),
          schemaSource,
          references: references.map(({ name, ...one }, at) => ({
            ...one,
            file: files.get(name)?.path ?? name,
            place: () => placeAgain(at)
          })),
          refersTo: refersTo.map(({ corpus: to, pointer }) => ({
            corpus: to,
            place: { source: schemaSource, pointer }
          }))
        },
        diagnostics: []
      }
    }
  }
}
