/** What upstreams call languages, and the tags of BCP 47 that are meant. */
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** Codes of countries that upstreams use for languages, where they are no codes of other languages. */
const countries: Readonly<Record<string, string>> = {
  jp: 'ja',
  cn: 'zh',
  kr: 'ko',
  gb: 'en',
  us: 'en',
  vn: 'vi',
  cz: 'cs',
  dk: 'da',
  gr: 'el',
  ua: 'uk',
  sp: 'es',
  cht: 'zh-hant',
  chs: 'zh-hans'
}

const printed = [
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru'
].concat(['sv', 'th', 'tr', 'uk', 'vi', 'zh'])

const byName = new Map([...printed, 'zh-hans', 'zh-hant'].map(tag => [names.of(tag)?.toLowerCase(), tag]))

/** Returns a tag as BCP 47 writes it, in lower case: the shortest code of the language. */
function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]?.toLowerCase()
  } catch {
    return undefined
  }
}

/**
 * Returns the tag of BCP 47 (in lower case) that is meant by the name that an upstream gives a language, such as `fr`,
 * `pt_BR`, `jp`, `jpn` or `english`; `undefined` when the word is no language.
 */
export function languageTag(word: string): string | undefined {
  const lower = word.toLowerCase().replace('_', '-')
  const known = countries[lower] ?? byName.get(lower)
  if (known !== undefined) return known
  const tag = /^[a-z]{2,3}(?:-[a-z]{2,4})?$/.test(lower) ? canonical(lower) : undefined
  return tag !== undefined && names.of(tag) !== undefined ? tag : undefined
}

/**
 * Returns the tag that the name of a field means, where cards are printed in that language; `undefined` for `id`, which
 * is more often an identity.
 */
export function languageOfField(word: string): string | undefined {
  const tag = languageTag(word)
  return tag !== undefined && tag !== 'id' && printed.includes(tag.split('-')[0] ?? '') ? tag : undefined
}

/** Returns what is wrong with a tag, as a sentence that says the tag that is meant; `undefined` for one of BCP 47. */
export function tagProblem(tag: string): string | undefined {
  const meant = languageTag(tag)
  if (meant === tag.toLowerCase()) return undefined
  if (meant !== undefined) return `\`${tag}\` is no tag of a language: ${names.of(meant) ?? meant} is \`${meant}\`.`
  return canonical(tag) === undefined || names.of(tag.split('-')[0] ?? '') === undefined
    ? `\`${tag}\` is no tag of a language.`
    : undefined
}
