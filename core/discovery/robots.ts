import { isOpen } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { defineDocument } from './define.ts'
import { absolute, pathTo } from './pointers.ts'

/**
 * Returns a path as a robots.txt pattern: `*` for each placeholder, and `$` so that deeper paths do not match (RFC 9309
 * section 2.2.3).
 */
const pattern = (path: string): string => `${path.replace(/\{[^}]*\}/g, '*')}$`

/**
 * Builds robots.txt (RFC 9309). Paths that need an account or a key are disallowed. The URLs of the sitemaps follow
 * (sitemaps.org).
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
