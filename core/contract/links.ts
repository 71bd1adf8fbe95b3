import type { Registry } from '../registry/registry.ts'

const unsafe = /[^\x21-\x7e]|["<>\\^`{|}]/g

/** Makes a path safe for a header: characters that are not allowed in a URI are percent-encoded (RFC 3986 §2.1). */
const headerSafe = (path: string): string =>
  path.search(unsafe) === -1
    ? path
    : path.replace(unsafe, char => encodeURIComponent(char.isWellFormed() ? char : '\ufffd'))

/**
 * Returns a function that writes the Link header of an answer (RFC 8288). A relation type that is not registered with
 * IANA is sent together with its URI in one value, so that both the short name and the extension form of §2.1.2 are
 * valid.
 */
export function compileLinks(registry: Registry): (path: string) => string {
  const { service, byId } = registry
  const parts = service.links.map(({ rel, registered, surface, query, type }) => {
    const target =
      surface === undefined
        ? answered
        : `${byId.get(surface)?.route.path ?? '/'}${query === undefined ? '' : `?${query}`}`
    return `<${target}>; rel="${relation(rel, registered, service.base_url)}"${type === undefined ? '' : `; type="${type}"`}`
  })
  const between = parts.join(', ').split(answered)
  return path => between.join(headerSafe(path))
}

/** Placeholder for the path of the answer; no header may contain this character. */
const answered = '\0'

/** Writes a link for one answer, to append to the common links. */
export const link = (target: string, rel: string, language?: string): string =>
  `<${headerSafe(target)}>; rel="${rel}"${language === undefined ? '' : `; hreflang="${language}"`}`

/** Writes a link to the same content in another media type. */
export const alternate = (target: string, type: string): string => `${link(target, 'alternate')}; type="${type}"`

const relation = (rel: string, registered: boolean, origin: string): string =>
  registered ? rel : `${rel} ${origin}/rels/${rel}`
