const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** Country codes that upstreams use in place of language codes, with the language that each means. */
const countries: Readonly<Record<string, string>> = { jp: 'ja', cn: 'zh', kr: 'ko', gb: 'en', us: 'en' }
const byName = new Map(
  ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'th', 'zh'].map(tag => [
    names.of(tag)?.toLowerCase(),
    tag
  ])
)

/**
 * Returns the BCP 47 tag (in lower case) for the name that an upstream gives the folder or member of a language, such
 * as `fr`, `pt_BR`, `jp` or `english`; `undefined` when the word is no language.
 */
export function languageTag(word: string): string | undefined {
  const lower = word.toLowerCase().replace('_', '-')
  const known = countries[lower] ?? byName.get(lower)
  if (known !== undefined) return known
  return /^[a-z]{2}(?:-[a-z]{2,4})?$/.test(lower) && names.of(lower) !== undefined ? lower : undefined
}
