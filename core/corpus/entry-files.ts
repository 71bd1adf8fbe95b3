import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { maxReported, report, reportFile, type SourceFile } from '../source/report.ts'
import { csvTable } from './entries/csv.ts'
import { jsonLines, jsonList } from './entries/json.ts'
import { markdownFile, yamlFile, yamlList } from './entries/yaml.ts'
import type { EntryForm, FormContext, SourceEntry } from './loaded.ts'

/** All forms of files with entries. A corpus has its entries either in one file or in the folder `entries/`. */
const entryForms: readonly EntryForm[] = [yamlList, csvTable, jsonList, jsonLines, yamlFile, markdownFile]

const formOf = (fileName: string) => entryForms.find(({ name }) => name.test(fileName))

const holdsEntries = (name: string): boolean => formOf(name) !== undefined

/** Returns the places that have entries: names of files, or `entries/`. A corpus may have only one. */
const entryPlaces = (names: Iterable<string>): readonly string[] => [
  ...new Set([...names].filter(holdsEntries).map(name => (name.startsWith('entries/') ? 'entries/' : name)))
]

const shownForms = quotedList(entryForms.map(({ shown }) => shown)).replace(/, (?=[^,]+$)/, ' or ')

export function readEntries(files: Files, context: FormContext): { entries: SourceEntry[]; diagnostics: Diagnostic[] } {
  const entries: SourceEntry[] = []
  const diagnostics: Diagnostic[] = []
  for (const [name, file] of files) {
    let mistakes = 0
    for (const read of formOf(name)?.read({ ...file, name }, context) ?? []) {
      if ('place' in read) {
        entries.push(read)
      } else if (mistakes++ < maxReported) {
        diagnostics.push(read)
      } else {
        const message = `The file has more than ${maxReported} mistakes; it was not read further.`
        diagnostics.push(reportFile(file.path, 'C211', message, 'Correct the listed ones first.'))
        break
      }
    }
  }
  return { entries, diagnostics }
}

/** Created for the first text that may be a language tag, because creating it takes ten milliseconds. */
let names: Intl.DisplayNames | undefined

/** Returns a language tag (BCP 47) in canonical form; `undefined` if it is malformed or its language is unknown. */
export function canonicalTag(tag: string): string | undefined {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag)
    names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
    return names.of(canonical.split('-')[0] ?? '') === undefined ? undefined : canonical
  } catch {
    return undefined
  }
}

/**
 * Splits a language tag off a file name: `entries/dune.de.md` has the base `entries/dune.md` and the tag `de`. A name
 * without a tag is the base.
 */
export function splitLanguage(name: string): Readonly<{ base: string; tag: string | undefined }> {
  const [, start = '', tag, ending = ''] = /^(.+)\.([A-Za-z0-9-]+)(\.[a-z]+)$/.exec(name) ?? []
  return tag === undefined || canonicalTag(tag) === undefined
    ? { base: name, tag: undefined }
    : { base: start + ending, tag }
}

/** Files by name within the folder of the corpus. */
type Files = ReadonlyMap<string, FolderFile>

/** The files of a corpus by language. */
type LanguageFiles = Readonly<{
  /** Files with entries in the default language, and all files without entries. */
  own: Files
  /** Files with entries in each other language, in declared order. Their names are without the tag. */
  others: ReadonlyMap<string, Files>
  diagnostics: readonly Diagnostic[]
}>

function hintFor(tag: string, base: string, name: string, languages: readonly string[]): string {
  const [first] = languages
  const canonical = canonicalTag(tag) ?? tag
  if (first === undefined)
    return `Add \`languages\` to \`corpus.yaml\`, the default language first: \`[en, ${canonical}]\`.`
  if (tag === first) return `\`${tag}\` is the default language: its entries are in \`${base}\`.`
  return languages.includes(canonical)
    ? `Rename it to \`${name.replace(`.${tag}.`, `.${canonical}.`)}\`.`
    : `Add \`${canonical}\` to \`languages\` in \`corpus.yaml\`, which has ${quotedList(languages)}.`
}

/** Sorts files by language. If the corpus declares none, the tag in `entries/dune.de.md` is a part of the key. */
export function byLanguage(files: Files, languages: readonly string[]): LanguageFiles {
  const own = new Map<string, FolderFile>()
  const others = new Map(languages.slice(1).map(tag => [tag, new Map<string, FolderFile>()]))
  const diagnostics: Diagnostic[] = []
  for (const [name, file] of files) {
    const { base, tag } = splitLanguage(name)
    if (tag === undefined || !holdsEntries(base) || (languages.length === 0 && holdsEntries(name))) own.set(name, file)
    else if (others.has(tag)) others.get(tag)?.set(base, file)
    else {
      const message = `The corpus does not declare the language \`${tag}\`.`
      diagnostics.push(reportFile(file.path, 'C213', message, hintFor(tag, base, name, languages)))
    }
  }
  return { own, others, diagnostics }
}

export const checkLanguages = (
  declaration: SourceFile,
  languages: readonly string[],
  { others }: LanguageFiles
): Diagnostic[] =>
  languages.flatMap((tag, index): Diagnostic[] => {
    const pointer = ['languages', index]
    const canonical = canonicalTag(tag)
    if (canonical !== tag) {
      const written = canonical ?? canonicalTag(tag.replaceAll('_', '-'))
      const hint = written === undefined ? 'Write a tag such as `en`, `de` or `pt-BR`.' : `Write \`${written}\`.`
      return [report(declaration, 'C212', pointer, `\`${tag}\` is not the tag of a language.`, { hint })]
    }
    if (others.get(tag)?.size !== 0) return []
    const hint = `Write \`entries.${tag}.yaml\` with the members that are translated, or remove the language.`
    return [report(declaration, 'C215', pointer, `No file of the corpus is in \`${tag}\`.`, { hint })]
  })

const needed = [
  ['corpus.yaml', 'C101', 'Declare its title, key, order, license and source there.'],
  ['schema.yaml', 'C102', 'Write the JSON Schema of one entry there.']
] as const

/** `isTable`: whether the entries are rows of a table, and so in none of the files. */
export function* checkFiles(folder: string, { own, others }: LanguageFiles, isTable: boolean): Generator<Diagnostic> {
  const stray = [...own].filter(([name]) => !needed.some(([one]) => one === name) && !holdsEntries(name))
  for (const [, { path }] of stray) {
    const hint = `A corpus has \`corpus.yaml\`, \`schema.yaml\` and its entries in ${shownForms}.`
    yield reportFile(path, 'C105', 'This file would not be read.', hint)
  }
  for (const [name, code, hint] of needed)
    if (!own.has(name)) yield reportFile(folder, code, `\`${folder}\` has no \`${name}\`.`, hint)
  const places = entryPlaces(own.keys())
  if (isTable && places.length > 0)
    yield reportFile(folder, 'C104', `\`${folder}\` has a table and \`${places[0] ?? ''}\`.`, 'Keep one of them.')
  if (!isTable && places.length === 0 && stray.length === 0)
    yield reportFile(folder, 'C103', `\`${folder}\` has no entries.`, `Write ${shownForms}.`)
  for (const files of [own, ...others.values()]) {
    // The message has the names of the files on disk, which have the tag of the language.
    const [one, another] = entryPlaces(files.keys()).map(place => files.get(place)?.path.split('/').at(-1) ?? place)
    if (one !== undefined && another !== undefined)
      yield reportFile(folder, 'C104', `\`${folder}\` has both \`${one}\` and \`${another}\`.`, 'Keep one of them.')
  }
}
