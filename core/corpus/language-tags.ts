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
