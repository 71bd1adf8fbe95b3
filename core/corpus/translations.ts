import type { JsonObject } from '../canonical/json.ts'
import type { Corpus, Entry, Translation } from './corpus.ts'
import type { Placed } from './entries/form.ts'
import { orderEntries } from './select.ts'
import type { Translated } from './translate.ts'

/**
 * Returns a test for members that need translation: those that any language translates, or all if no language
 * translates any.
 */
function translatable(languages: ReadonlyMap<string, Translated>, key: string): (name: string) => boolean {
  const given = new Set(
    [...languages.values()].flatMap(({ parts }) => parts.flatMap(({ value }) => Object.keys(value as JsonObject)))
  )
  given.delete(key)
  return name => name !== key && (given.size === 0 || given.has(name))
}

const byKeyOf = (entries: readonly Placed[], key: string): ReadonlyMap<string, Entry> =>
  new Map(entries.map(({ value }) => [(value as Entry)[key] as string, value as Entry]))

/** Returns the entries sorted in the order of their corpus, and by key. */
export function ordered(
  entries: readonly Entry[],
  { order, key }: Pick<Corpus, 'order' | 'key'>
): Pick<Corpus, 'entries' | 'byKey'> {
  const sorted = orderEntries(entries, order, key)
  return { entries: sorted, byKey: new Map(sorted.map(entry => [entry[key] as string, entry])) }
}

/** Returns a corpus in every language that it declares, the default first. */
export function translationsOf(
  corpus: Corpus,
  first: string,
  languages: ReadonlyMap<string, Translated>
): ReadonlyMap<string, Translation> {
  const { key } = corpus
  const isText = translatable(languages, key)
  const others = [...languages].map(([tag, { parts, entries }]): [string, Translation] => {
    const whole = byKeyOf(entries, key)
    const given = byKeyOf(parts, key)
    const untranslated = corpus.entries.map(entry => {
      const id = entry[key] as string
      return [id, Object.keys(entry).filter(name => isText(name) && given.get(id)?.[name] === undefined)] as const
    })
    return [
      tag,
      {
        corpus: {
          ...corpus,
          ...ordered(
            corpus.entries.map(entry => whole.get(entry[key] as string) ?? entry),
            corpus
          )
        },
        untranslated: new Map(untranslated.filter(([, names]) => names.length > 0)),
        translated: new Set([...given].filter(([, part]) => Object.keys(part).length > 1).map(([id]) => id))
      }
    ]
  })
  return new Map([[first, { corpus, untranslated: new Map(), translated: new Set(corpus.byKey.keys()) }], ...others])
}
