import type { Registry } from '../registry/registry.ts'

const unsafe = /[^\x21-\x7e]|["<>\\^`{|}]/g

/** A path in the form that a header allows: what is not a visible URI character is percent-encoded (RFC 3986 §2.1). */
const headerSafe = (path: string): string =>
  path.search(unsafe) === -1
    ? path
    : path.replace(unsafe, char => encodeURIComponent(char.isWellFormed() ? char : '\ufffd'))

/**
 * Link header of an answer (RFC 8288). A relation that IANA does not list is sent beside its URI in one value,
 * so that both the short name and the extension form of §2.1.2 hold.
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

/** Where the path that answered goes; no header may hold it. */
const answered = '\0'

/** A link of one answer, as it follows those of every answer. */
export const link = (target: string, rel: string, language?: string): string =>
  `<${headerSafe(target)}>; rel="${rel}"${language === undefined ? '' : `; hreflang="${language}"`}`

/** A link to the same content as another media type. */
export const alternate = (target: string, type: string): string => `${link(target, 'alternate')}; type="${type}"`

const relation = (rel: string, registered: boolean, origin: string): string =>
  registered ? rel : `${rel} ${origin}/rels/${rel}`
