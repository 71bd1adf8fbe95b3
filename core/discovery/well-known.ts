import { accessText, admitsEveryone, isOpen } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { Closed, defineDocument, Path } from './define.ts'
import { deprecationNote } from './describe.ts'
import { absolute, isPaused, pathTo, sampleUrl } from './pointers.ts'

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

const SitemapDocument = Closed({ '@kind': Type.Literal('sitemap'), urls: Type.Array(Path) })

/**
 * Lists the open pages whose paths have no placeholders. For other pages, a service has its own sitemaps, such as
 * `/sitemap-books.xml`; `robots.txt` names all of them.
 */
export const sitemap = defineDocument(SitemapDocument)({
  build: ({ surfaces }) => ({
    '@kind': 'sitemap',
    urls: surfaces
      .filter(
        ({ access, route, formats }) =>
          isOpen(access) && formats[0] === 'html' && route.methods.includes('GET') && route.placeholders.length === 0
      )
      .map(({ route }) => route.path)
  })
})

const note = (registry: Registry, surface: Surface): string => {
  const reservations = [
    isPaused(surface) && !/^paused/i.test(surface.summary) ? 'paused, no data' : '',
    admitsEveryone(surface.access) ? '' : `needs ${accessText(surface.access)} access`,
    deprecationNote(surface, registry)
  ].filter(word => word !== '')
  return reservations.length === 0 ? surface.summary : `${surface.summary} (${reservations.join(', ')})`
}

const line = (registry: Registry, surface: Surface): string => {
  const url = sampleUrl(registry, surface)
  const verb = surface.route.methods.includes('GET') ? '' : `${surface.route.methods.join(', ')} `
  return url === null ? '' : `- [${verb}${surface.route.path}](${url}): ${note(registry, surface)}\n`
}

/**
 * Returns a section for the surfaces outside the groups, with one line per first tag, so that it stays short with any
 * number of surfaces.
 */
function others(registry: Registry, shown: ReadonlySet<string>): string {
  const directory = pathTo(registry, 'manifest')
  const paths = new Map<string, Set<string>>()
  for (const surface of registry.surfaces) {
    if (shown.has(surface.id)) continue
    const tag = surface.tags[0] ?? 'other'
    paths.set(tag, (paths.get(tag) ?? new Set()).add(surface.route.path))
  }
  if (paths.size === 0 || directory === null) return ''
  const lines = [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, members]) => `- [${tag}](${absolute(registry, directory)}): ${[...members].join(', ')}\n`)
  return `\n## Optional\n\n${lines.join('')}`
}

/**
 * Builds llms.txt, the map for language models, in the order of that convention: title, summary, free text, sections of
 * links. The groups are those of `service.yaml`; a last section, which readers may skip, lists the rest.
 */
export const llms = defineDocument(Type.String())({
  build: registry => {
    const { service, byId } = registry
    const sections = service.index.map(
      ({ title, surfaces }) =>
        `\n## ${title}\n\n${surfaces
          .flatMap(id => byId.get(id) ?? [])
          .map(surface => line(registry, surface))
          .join('')}`
    )
    const promises = service.invariants.map(invariant => `- ${invariant}\n`).join('')
    return (
      `# ${service.name}\n\n> ${service.summary}\n\n${service.description.trim()}\n\nWhat holds here:\n\n${promises}${sections.join('')}` +
      others(registry, new Set(service.index.flatMap(group => group.surfaces)))
    )
  }
})

const validDays = 300
const dayMs = 86_400_000

/**
 * Builds security.txt, the contact for security reports (RFC 9116). `Expires` is the start of the UTC day in 300 days,
 * because it should be less than a year ahead (section 2.5.5). `Canonical` must begin with `https://` (section 2.5.2),
 * so a service without TLS has none.
 */
export const security = defineDocument(Type.String())({
  live: true,
  build: (registry, _request, { now }) => {
    const expires = new Date((Math.floor(now.getTime() / dayMs) + validDays) * dayMs)
    const canonical = pathTo(registry, 'security')
    return [
      `Contact: mailto:${registry.service.contact.email}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      ...(canonical === null || !registry.service.base_url.startsWith('https://')
        ? []
        : [`Canonical: ${absolute(registry, canonical)}`]),
      ''
    ].join('\n')
  }
})

/**
 * Serves the asset `icon.svg` as the favicon. Browsers use the media type, not the file extension in the path (MIME
 * Sniffing §4.1).
 */
export const favicon = defineDocument(Type.String())({
  build: ({ assets }) => {
    const icon = assets.get('icon.svg')
    if (icon === undefined) throw notFound('file', 'icon.svg')
    return icon.text
  },
  file: ({ assets }) => ({ mediaType: assets.get('icon.svg')?.mediaType ?? '', control: 'public, max-age=86400' })
})

/**
 * Serves the files that pages load. Their names contain a hash of the content, so an answer never changes (RFC 8246).
 */
export const assets = defineDocument(Type.String())({
  input: { params: Type.Object({ file: Type.String({ minLength: 1, maxLength: 160 }) }) },
  build: (registry, { params }) => {
    const asset = [...registry.assets.values()].find(({ file }) => file === params['file'])
    if (asset === undefined) throw notFound('file', String(params['file']))
    return asset.text
  },
  file: (registry, { params }) => ({
    mediaType: [...registry.assets.values()].find(({ file }) => file === params['file'])?.mediaType ?? '',
    control: 'public, max-age=31536000, immutable'
  })
})
