import type { Registry } from '../registry/registry.ts'

const unsafe = /[^\x21-\x7e]|["<>\\^`{|}]/g

/** A path in the form that a header allows: what is not a visible URI character is percent-encoded (RFC 3986 §2.1). */
const headerSafe = (path: string): string =>
  path.search(unsafe) === -1 ? path : path.replace(unsafe, char => encodeURIComponent(char.isWellFormed() ? char : '\ufffd'))

/**
 * Link header of an answer (RFC 8288). A relation that IANA does not list is sent beside its URI in one value,
 * so that both the short name and the extension form of §2.1.2 hold.
 */
export function compileLinks (registry: Registry): (path: string) => string {
  const { service, byId } = registry
  const parts: (string | undefined)[] = service.links.map(link => {
    if (link.surface === undefined) return undefined
    const target = byId.get(link.surface)?.route.path ?? '/'
    const query = link.query === undefined ? '' : `?${link.query}`
    const type = link.type === undefined ? '' : `; type="${link.type}"`
    return `<${target}${query}>; rel="${relation(link.rel, link.registered, service.base_url)}"${type}`
  })
  const at = service.links.findIndex(link => link.surface === undefined)
  const before = parts.slice(0, Math.max(at, 0)).map(part => `${part ?? ''}, `).join('')
  const after = parts.slice(at + 1).map(part => `, ${part ?? ''}`).join('')
  const self = service.links[at]
  if (self === undefined) return () => parts.join(', ')
  const rel = relation(self.rel, self.registered, service.base_url)
  return path => `${before}<${headerSafe(path)}>; rel="${rel}"${after}`
}

/** A link of one answer, as it follows those of every answer. */
export const link = (target: string, rel: string, language?: string): string => `<${headerSafe(target)}>; rel="${rel}"${language === undefined ? '' : `; hreflang="${language}"`}`

const relation = (rel: string, registered: boolean, origin: string): string => registered ? rel : `${rel} ${origin}/rels/${rel}`
