import { basename } from 'node:path'
import { isObject } from '../canonical/json.ts'
import { quotedList, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { compileSchema } from '../schema/compile.ts'
import type { FolderFile, LoadCache } from '../source/read-folder.ts'
import { readYaml } from '../source/read-yaml.ts'
import { reportIssues } from '../source/report-issues.ts'
import { report, type SourceFile } from '../source/report.ts'
import { placeholdersIn } from '../vocabulary/language.ts'

/** Folder of a root with a file for each language: `translations/de.yaml`. */
export const translationsFolder = 'translations'

/**
 * The texts of a root in one language, each by the same text in the language that the root is written in. An empty one
 * is not translated yet.
 */
export type TranslationFile = Readonly<{ tag: string; source: SourceFile; texts: Readonly<Record<string, string>> }>

const check = compileSchema({ type: 'object', additionalProperties: { type: 'string' } })

/** M444: a translated text has the placeholders of the text. */
function* checkPlaceholders(source: SourceFile, texts: TranslationFile['texts']): Generator<Diagnostic> {
  for (const [text, translated] of Object.entries(texts)) {
    if (translated === '') continue
    const [wanted, given] = [placeholdersIn(text), placeholdersIn(translated)]
    const lost = wanted.filter(name => !given.includes(name)).map(name => `{${name}}`)
    const added = given.filter(name => !wanted.includes(name)).map(name => `{${name}}`)
    if (lost.length > 0)
      yield report(source, 'M444', [text], `The text has lost ${quotedList(lost)}.`, {
        hint: 'Keep each placeholder as it is, at the place where its value belongs.'
      })
    if (added.length > 0)
      yield report(source, 'M444', [text], `The text has ${quotedList(added)}, which nothing fills.`, {
        hint: wanted.length === 0 ? 'Remove it.' : `It may have ${quotedList(wanted.map(name => `{${name}}`))}.`
      })
  }
}

function readFile({
  path,
  bytes,
  name
}: FolderFile): Readonly<{ file?: TranslationFile; found: readonly Diagnostic[] }> {
  const source = readYaml(path, bytes)
  if (source.value === undefined) return { found: source.diagnostics }
  const issues = check(source.value)
  if (issues.length > 0 || !isObject(source.value))
    return { found: reportIssues(source, issues, { noun: 'a file of translations' }) }
  const texts = source.value as TranslationFile['texts']
  return { file: { tag: basename(name, '.yaml'), source, texts }, found: [...checkPlaceholders(source, texts)] }
}

/** Reads the files of translations of a root and checks each of them alone. */
export function readTranslations(
  files: readonly FolderFile[],
  reuse: LoadCache
): Readonly<{ files: readonly TranslationFile[]; diagnostics: readonly Diagnostic[] }> {
  const read = files.map(file => reuse.of(file.path, [file.bytes], () => readFile(file)))
  return { files: read.flatMap(({ file }) => file ?? []), diagnostics: read.flatMap(({ found }) => found) }
}
