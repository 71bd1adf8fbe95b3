import { quotedList } from '../diagnostics/counted.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { report, reportFile } from '../source/report.ts'
import type { SourceFile } from '../source/source-file.ts'
import { canonicalTag, splitLanguage } from './language-tags.ts'
import { holdsEntries } from './read-entries.ts'

type Files = ReadonlyMap<string, FolderFile>

/** The files of a corpus by the language of their entries. The names are without the language. */
export type LanguageFiles = Readonly<{
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
