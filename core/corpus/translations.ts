import type { JsonObject } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestionHint } from '../diagnostics/suggest.ts'
import { partSchema } from '../schema/json-schema.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { BoundedReports } from '../source/report.ts'
import { checkEntries, computeHashes, reportAt, withHash } from './check-entries.ts'
import type { Corpus, Entry, Translation } from './corpus.ts'
import { readEntries } from './entry-files.ts'
import type { FormContext, SourceEntry } from './loaded.ts'
import { orderEntries } from './select.ts'

type Translated = Readonly<{
  /** The translated entries as their files have them: the key and the translated members. */
  parts: readonly SourceEntry[]
  /** The same entries in full: those of the default language with the translated members in place of their own. */
  entries: readonly SourceEntry[]
  diagnostics: readonly Diagnostic[]
}>

/**
 * Merges the entries of one language into those of the default language, member by member. Without `originals`, only
 * the translated members are checked.
 */
export function translate(
  files: ReadonlyMap<string, FolderFile>,
  { declaration, schema: whole }: FormContext,
  originals: ReadonlyMap<string, JsonObject> | undefined,
  checkWhole: (entries: readonly SourceEntry[]) => readonly Diagnostic[]
): Translated {
  const { key } = declaration
  // A translated entry has the key and any other members. A member that the schema does not describe is a mistake.
  const schema = { ...partSchema(whole, [key]), additionalProperties: false }
  const { entries: read, diagnostics: unread } = readEntries(files, { declaration, schema })
  const wrong = [...unread, ...computeHashes(read, declaration).diagnostics]
  const misfits = wrong.length > 0 ? wrong : checkEntries(read, key, schema, () => [])
  if (misfits.length > 0 || originals === undefined) return { parts: [], entries: [], diagnostics: misfits }

  const reports = new BoundedReports()
  const parts: SourceEntry[] = []
  const entries: SourceEntry[] = []
  for (const entry of read) {
    const value = entry.value as JsonObject
    const id = value[key] as string
    const original = originals.get(id)
    if (original === undefined) {
      reports.add(entry.file, 1, () => [
        reportAt(entry.place(), 'C214', [key], `The default language has no entry \`${id}\`.`, {
          hint: suggestionHint(id, [...originals.keys()])
        })
      ])
    } else {
      parts.push(entry)
      entries.push({ ...entry, value: Object.freeze(withHash({ ...original, ...value }, declaration)) })
    }
  }
  return { parts, entries, diagnostics: [...reports.all(), ...checkWhole(entries)] }
}

const byKeyOf = (entries: readonly SourceEntry[], key: string): ReadonlyMap<string, Entry> =>
  new Map(entries.map(({ value }) => [(value as Entry)[key] as string, value as Entry]))

export function ordered(
  entries: readonly Entry[],
  { order, key }: Pick<Corpus, 'order' | 'key'>
): Pick<Corpus, 'entries' | 'byKey'> {
  const sorted = orderEntries(entries, order, key)
  return { entries: sorted, byKey: new Map(sorted.map(entry => [entry[key] as string, entry])) }
}

/** Returns the corpus in each language, by tag: in its default language `first`, then in the others. */
export function translationsOf(
  corpus: Corpus,
  first: string,
  languages: ReadonlyMap<string, Translated>
): ReadonlyMap<string, Translation> {
  const { key } = corpus
  // Members that need translation: those that any language translates, or all if no language translates any.
  const names = new Set(
    [...languages.values()].flatMap(({ parts }) => parts.flatMap(part => Object.keys(part.value ?? {})))
  )
  names.delete(key)
  const isText = (name: string): boolean => name !== key && (names.size === 0 || names.has(name))
  const others = [...languages].map(([tag, { parts, entries }]): [string, Translation] => {
    const whole = byKeyOf(entries, key)
    const translated = byKeyOf(parts, key)
    const untranslated = [...corpus.byKey].map(([id, entry]) => {
      const part = translated.get(id)
      return [id, Object.keys(entry).filter(name => isText(name) && part?.[name] === undefined)] as const
    })
    const merged = corpus.entries.map(entry => whole.get(entry[key] as string) ?? entry)
    return [
      tag,
      {
        corpus: { ...corpus, ...ordered(merged, corpus) },
        untranslated: new Map(untranslated.filter(([, names]) => names.length > 0)),
        translated: new Set([...translated].filter(([, part]) => Object.keys(part).length > 1).map(([id]) => id))
      }
    ]
  })
  return new Map([[first, { corpus, untranslated: new Map(), translated: new Set(corpus.byKey.keys()) }], ...others])
}
