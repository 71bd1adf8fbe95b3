import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { mostReported, report, reportFile, type SourceFile } from '../source/report.ts'
import { csvTable } from './entries/csv.ts'
import { jsonLines, jsonList } from './entries/json.ts'
import { markdownFile, yamlFile, yamlList } from './entries/yaml.ts'
import type { EntryForm, FormContext, Placed } from './loaded.ts'

/**
 * All file formats of entries. The name of a file decides. A corpus has its entries either in one file or in
 * `entries/`.
 */
const entryForms: readonly EntryForm[] = [yamlList, csvTable, jsonList, jsonLines, yamlFile, markdownFile]

const formOf = (name: string) => entryForms.find(form => form.name.test(name))

/** Returns the place of an entry file: the folder `entries/`, or the file itself. */
const placeOf = (name: string): string => (name.startsWith('entries/') ? 'entries/' : name)

/** Returns all places where a corpus has entries; there should be only one. */
const entryPlaces = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter(name => formOf(name) !== undefined).map(placeOf))
]

/** Whether a file contains entries, going by its name. */
const holdsEntries = (name: string): boolean => formOf(name) !== undefined

const shownForms = entryForms
  .map(({ shown }) => `\`${shown}\``)
  .join(', ')
  .replace(/, (?=[^,]+$)/, ' or ')

/** Reads the entries of all files of a corpus, and reports mistakes in their syntax. */
export function readEntries(
  files: ReadonlyMap<string, FolderFile>,
  given: FormContext
): { entries: Placed[]; diagnostics: Diagnostic[] } {
  const entries: Placed[] = []
  const diagnostics: Diagnostic[] = []
  for (const [name, file] of files) {
    let wrong = 0
    for (const one of formOf(name)?.read({ ...file, name }, given) ?? []) {
      if ('place' in one) {
        entries.push(one)
      } else if (wrong++ < mostReported) {
        diagnostics.push(one)
      } else {
        diagnostics.push(
          reportFile(
            file.path,
            'C211',
            `The file has more than ${mostReported} mistakes; it was not read further.`,
            'Correct the listed ones first.'
          )
        )
        break
      }
    }
  }
  return { entries, diagnostics }
}

/** Created for the first file name that may contain a language, because creating it takes ten milliseconds. */
let names: Intl.DisplayNames | undefined
const languages = (): Intl.DisplayNames =>
  (names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }))

/**
 * Returns a language tag (BCP 47) in canonical form, such as `pt-BR`; `undefined` if it is malformed or its language is
 * unknown.
 */
export function canonicalTag(tag: string): string | undefined {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag)
    return languages().of(canonical.split('-')[0] ?? '') === undefined ? undefined : canonical
  } catch {
    return undefined
  }
}

/** Splits a file name: `entries/dune.de.md` has the base `entries/dune.md` and the tag `de`. */
export function splitLanguage(name: string): Readonly<{ base: string; tag: string | undefined }> {
  const [, start = '', tag, ending = ''] = /^(.+)\.([A-Za-z0-9-]+)(\.[a-z]+)$/.exec(name) ?? []
  return tag === undefined || canonicalTag(tag) === undefined
    ? { base: name, tag: undefined }
    : { base: start + ending, tag }
}

type Files = ReadonlyMap<string, FolderFile>

/** The files of a corpus by the language of their entries. The names are without the language. */
type LanguageFiles = Readonly<{
  /** Files of the default language, and those that hold no entries. */
  own: Files
  /** Files of the other languages, in declared order. */
  others: ReadonlyMap<string, Files>
  /** C213: files in a language that the corpus does not declare. */
  diagnostics: readonly Diagnostic[]
}>

function hintFor(tag: string, base: string, name: string, languages: readonly string[]): string {
  const [first] = languages
  const canonical = canonicalTag(tag)
  if (first === undefined)
    return `Add \`languages\` to \`corpus.yaml\`, the default language first: \`[en, ${canonical ?? tag}]\`.`
  if (tag === first) return `\`${tag}\` is the default language: its entries are in \`${base}\`.`
  const declared = languages.find(one => one === canonical)
  return declared === undefined
    ? `Add \`${canonical ?? tag}\` to \`languages\` in \`corpus.yaml\`, which has ${quotedList(languages)}.`
    : `Rename it to \`${name.replace(`.${tag}.`, `.${declared}.`)}\`.`
}

/**
 * Groups files by language: `entries.de.yaml` and `entries/dune.de.md` hold translations. If the corpus declares no
 * languages, a dot may be part of a key.
 */
export function byLanguage(files: Files, languages: readonly string[]): LanguageFiles {
  const own = new Map<string, FolderFile>()
  const others = new Map(languages.slice(1).map(tag => [tag, new Map<string, FolderFile>()]))
  const diagnostics: Diagnostic[] = []
  for (const [name, file] of files) {
    const { base, tag } = splitLanguage(name)
    if (tag === undefined || !holdsEntries(base) || (languages.length === 0 && holdsEntries(name))) own.set(name, file)
    else if (others.has(tag)) others.get(tag)?.set(base, file)
    else
      diagnostics.push(
        reportFile(
          file.path,
          'C213',
          `The corpus does not declare the language \`${tag}\`.`,
          hintFor(tag, base, name, languages)
        )
      )
  }
  return { own, others, diagnostics }
}

/** C212: a tag must be valid, known and in canonical form. C215: each declared language must have a file. */
export function checkLanguages(
  declaration: SourceFile,
  languages: readonly string[],
  { others }: LanguageFiles
): Diagnostic[] {
  return languages.flatMap((tag, index): Diagnostic[] => {
    const canonical = canonicalTag(tag)
    if (canonical === tag) {
      return others.get(tag)?.size !== 0
        ? []
        : [
            report(declaration, 'C215', ['languages', index], `No file of the corpus is in \`${tag}\`.`, {
              hint: `Write \`entries.${tag}.yaml\` with the members that are translated, or remove the language.`
            })
          ]
    }
    const written = canonical ?? canonicalTag(tag.replaceAll('_', '-'))
    const hint = written === undefined ? 'Write a tag such as `en`, `de` or `pt-BR`.' : `Write \`${written}\`.`
    return [report(declaration, 'C212', ['languages', index], `\`${tag}\` is not the tag of a language.`, { hint })]
  })
}

/** Returns the place of entries as messages name it: with the language in the file name. */
const shownPlace = (place: string, files: ReadonlyMap<string, FolderFile>): string => {
  const path = files.get(place)?.path
  return path === undefined ? place : path.slice(path.lastIndexOf('/') + 1)
}

/** The files that every corpus has: the code of the mistake without one, and what to write there. */
const needed = [
  ['corpus.yaml', 'C101', 'Declare its title, key, order, license and source there.'],
  ['schema.yaml', 'C102', 'Write the JSON Schema of one entry there.']
] as const

/** Checks the files of a corpus folder. A file with any other name is reported, because it would not be read. */
export function checkFiles(folder: string, { own, others }: LanguageFiles): Diagnostic[] {
  const stray = [...own.keys()].filter(name => !needed.some(([one]) => one === name) && !holdsEntries(name))
  const [first] = entryPlaces([...own.keys()])
  const twice = [own, ...others.values()].flatMap((files): Diagnostic[] => {
    const [one, another] = entryPlaces([...files.keys()])
    return one === undefined || another === undefined
      ? []
      : [
          reportFile(
            folder,
            'C104',
            `\`${folder}\` has both \`${shownPlace(one, files)}\` and \`${shownPlace(another, files)}\`.`,
            'Keep one of them.'
          )
        ]
  })
  return [
    ...stray.map(name =>
      reportFile(
        own.get(name)?.path ?? name,
        'C105',
        'This file would not be read.',
        `A corpus has \`corpus.yaml\`, \`schema.yaml\` and its entries in ${shownForms}.`
      )
    ),
    ...needed.flatMap(([name, code, hint]) =>
      own.has(name) ? [] : [reportFile(folder, code, `\`${folder}\` has no \`${name}\`.`, hint)]
    ),
    ...(first === undefined && stray.length === 0
      ? [reportFile(folder, 'C103', `\`${folder}\` has no entries.`, `Write ${shownForms}.`)]
      : []),
    ...twice
  ]
}
