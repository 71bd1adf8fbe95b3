import { isOpen } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { defineDocument } from './define.ts'
import { absolute, pathTo } from './pointers.ts'

/**
 * A path as a robots pattern: one `*` for each placeholder, and `$` so that deeper paths are not meant (RFC 9309
 * section 2.2.3).
 */
const pattern = (path: string): string => `${path.replace(/\{[^}]*\}/g, '*')}$`

/**
 * Crawler rules (RFC 9309) from the access kinds: what needs an account or a key is not for crawlers. Then where the
 * sitemaps are (sitemaps.org).
 */
export const robots = defineDocument(Type.String())({
  build: registry => {
    const open = new Set(registry.surfaces.filter(surface => isOpen(surface.access)).map(surface => surface.route.path))
    const closed = [...new Set(registry.surfaces.map(surface => surface.route.path).filter(path => !open.has(path)))]
    const sitemaps = registry.surfaces.filter(({ formats }) => formats[0] === 'sitemap').map(({ route }) => route.path)
    const llms = pathTo(registry, 'llms')
    const limits = pathTo(registry, 'rate-limits')
    return [
      `# ${registry.service.name}. Public pages and documents are open to every crawler.`,
      ...(limits === null ? [] : [`# How often to ask: ${absolute(registry, limits)}`]),
      ...(llms === null ? [] : [`# A map for language models: ${absolute(registry, llms)}`]),
      '',
      'User-agent: *',
      ...closed.map(path => `Disallow: ${pattern(path)}`),
      'Allow: /',
      ...sitemaps.flatMap(path => ['', `Sitemap: ${absolute(registry, path)}`]),
      ''
    ].join('\n')
  }
})
