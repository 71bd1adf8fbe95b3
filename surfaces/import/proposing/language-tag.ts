const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
/** Codes of countries that upstreams take for languages. */
const countries: Readonly<Record<string, string>> = { jp: 'ja', cn: 'zh', kr: 'ko', gb: 'en', us: 'en' }
const byName = new Map(
  ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'th', 'zh'].map(tag => [
    names.of(tag)?.toLowerCase(),
    tag
  ])
)

/**
 * The tag (BCP 47, lower case) of a language as an upstream names a folder or a member: `fr`, `pt_BR`, `jp`, `english`;
 * `undefined` for any other word.
 */
export function languageTag(word: string): string | undefined {
  const lower = word.toLowerCase().replace('_', '-')
  const known = countries[lower] ?? byName.get(lower)
  if (known !== undefined) return known
  return /^[a-z]{2}(?:-[a-z]{2,4})?$/.test(lower) && names.of(lower) !== undefined ? lower : undefined
}
