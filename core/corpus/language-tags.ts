/** Made for the first name that may have a language: it takes ten milliseconds. */
let names: Intl.DisplayNames | undefined
const languages = (): Intl.DisplayNames =>
  (names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }))

/**
 * A language tag (BCP 47) in its canonical form, such as `pt-BR`; `undefined` for what has not its form or names no
 * known language.
 */
export function canonicalTag(tag: string): string | undefined {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag)
    return languages().of(canonical.split('-')[0] ?? '') === undefined ? undefined : canonical
  } catch {
    return undefined
  }
}

/** The name of a file without the language in it: `entries/dune.md` and `de` of `entries/dune.de.md`. */
export function splitLanguage(name: string): Readonly<{ base: string; tag: string | undefined }> {
  const [, start = '', tag, ending = ''] = /^(.+)\.([A-Za-z0-9-]+)(\.[a-z]+)$/.exec(name) ?? []
  return tag === undefined || canonicalTag(tag) === undefined
    ? { base: name, tag: undefined }
    : { base: start + ending, tag }
}
