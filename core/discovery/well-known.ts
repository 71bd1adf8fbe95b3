import { accessText, admitsEveryone } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { originOf } from '../canonical/url.ts'
import { siteOf } from '../contract/envelope.ts'
import { escapeXml } from '../format/format.ts'
import { openSearchType } from '../format/head.ts'
import { notFound } from '../handler/errors.ts'
import { ensureDefined } from '../manifest/kind.ts'
import type { Surface } from '../manifest/surface.ts'
import { iconOf, type Asset } from '../registry/assets.ts'
import type { Registry } from '../registry/registry.ts'
import { Closed, defineDocument, Text, Url, type DiscoveryRequest } from './define.ts'
import { deprecationNote, tagMeaning } from './describe.ts'
import { absoluteUrl, groupOf, isPaused, documentUrlOf } from './pointers.ts'

const pathsOf = (surfaces: readonly Surface[]): string[] => surfaces.map(({ route }) => route.path)

/** Returns a path as a pattern of robots.txt: `*` for each placeholder (RFC 9309 §2.2.3). */
const pattern = (path: string): string => path.replace(/\{[^}]*\}/g, '*')

type Listed = Readonly<{ path: string; isOpen: boolean }>

/**
 * Returns the rules for the paths below a prefix, in as few lines as can be: each closed path, or the prefix with each
 * open path below it, which is longer and so comes first (RFC 9309 §2.2.2). A prefix names no path that it closes.
 */
function rulesBelow(prefix: string, paths: readonly Listed[]): readonly string[] {
  if (paths.every(({ isOpen }) => isOpen)) return []
  const groups = new Map<string, Listed[]>()
  for (const one of paths) {
    const next = one.path.slice(prefix.length).split('/')[0] ?? ''
    groups.set(next, [...(groups.get(next) ?? []), one])
  }
  const listed = [...groups].flatMap(([next, members]) => {
    const own = members.filter(({ path }) => path === prefix + next)
    const below = members.filter(one => !own.includes(one))
    return [
      ...own.filter(({ isOpen }) => !isOpen).map(({ path }) => `Disallow: ${path}$`),
      ...rulesBelow(`${prefix}${next}/`, below)
    ]
  })
  const open = paths.filter(({ isOpen }) => isOpen)
  const whole = [`Disallow: ${prefix}`, ...open.map(({ path }) => `Allow: ${path}$`)]
  return prefix !== '/' && whole.length < listed.length ? whole : listed
}

/** Builds robots.txt (RFC 9309), which disallows what only an account or a key may read, and lists the sitemaps. */
export const robots = defineDocument(Type.String())({
  build: registry => {
    const { service, surfaces, moved } = registry
    const read = surfaces.filter(({ route }) => route.methods.includes('GET'))
    const open = new Set(pathsOf(read.filter(({ access }) => admitsEveryone(access))))
    const paths = new Map(pathsOf(read).map(path => [pattern(path), open.has(path)]))
    const llms = documentUrlOf(registry, 'llms')
    const limits = documentUrlOf(registry, 'rate-limits')
    return [
      `# ${service.name}. Public pages and documents are open to every crawler.`,
      ...(limits === null ? [] : [`# How often to ask: ${limits}`]),
      ...(llms === null ? [] : [`# A map for language models: ${llms}`]),
      '',
      'User-agent: *',
      ...rulesBelow(
        '/',
        [...paths].map(([path, isOpen]) => ({ path, isOpen }))
      ),
      `Allow: ${moved?.base ?? ''}/`,
      ...pathsOf(surfaces.filter(({ formats }) => formats[0] === 'sitemap')).flatMap(path => [
        '',
        `Sitemap: ${absoluteUrl(registry, path)}`
      ]),
      ''
    ].join('\n')
  }
})

const note = (registry: Registry, surface: Surface): string => {
  const reservations = [
    isPaused(surface) && !/^paused/i.test(surface.summary) ? 'paused, no data' : '',
    admitsEveryone(surface.access) ? '' : `needs ${accessText(surface.access)} access`,
    deprecationNote(surface, registry)
  ].filter(word => word !== '')
  return reservations.length === 0 ? surface.summary : `${surface.summary} (${reservations.join(', ')})`
}

/** A path that can be requested; of one with placeholders, the path and query of an example of what is there. */
const sampleUrl = ({ route, examples }: Surface): string | undefined =>
  route.placeholders.length === 0
    ? route.path
    : (
        examples.find(({ expect }) => expect.status < 400) ??
        examples.find(({ method, expect }) => method === 'GET' && expect.status !== 404)
      )?.url

const line = (registry: Registry, surface: Surface): string => {
  const url = sampleUrl(surface)
  const { methods, path } = surface.route
  const prefix = methods.includes('GET') ? '' : `${methods.join(', ')} `
  const shown = prefix + path
  const place = url === undefined ? `\`${shown}\`` : `[${shown}](${absoluteUrl(registry, url)})`
  return `- ${place}: ${note(registry, surface)}\n`
}

/** Returns a section with the paths of all surfaces but `listed`: one line for each group, so that it is short. */
function others(registry: Registry, listed: readonly string[]): string {
  const directory = documentUrlOf(registry, 'manifest')
  const paths = new Map<string, Set<string>>()
  for (const surface of registry.surfaces.filter(({ id }) => !listed.includes(id)))
    paths.set(groupOf(surface), (paths.get(groupOf(surface)) ?? new Set()).add(surface.route.path))
  if (paths.size === 0 || directory === null) return ''
  const lines = [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, members]) => `- [${tag}](${directory}): ${[...members].join(', ')}\n`)
  return `\n## Optional\n\n${lines.join('')}`
}

/**
 * Builds llms.txt: the surfaces under `index` in `service.yaml`, and the others in the section `Optional`, which
 * readers may skip.
 */
export const llms = defineDocument(Type.String())({
  build: registry => {
    const { service, byId } = registry
    const sections = service.index.map(({ title, surfaces }) => {
      const lines = surfaces.flatMap(id => byId.get(id) ?? []).map(surface => line(registry, surface))
      return `\n## ${title}\n\n${lines.join('')}`
    })
    const promises = service.invariants.map(invariant => `- ${invariant}\n`).join('')
    return (
      `# ${service.name}\n\n> ${service.summary}\n\n${service.description.trim()}\n\nWhat holds here:\n\n${promises}${sections.join('')}` +
      others(
        registry,
        service.index.flatMap(group => group.surfaces)
      )
    )
  }
})

/** How long llms-full.txt may be in characters. Surfaces that do not fit are named as llms.txt names the others. */
const maxFull = 200_000

/** Builds llms-full.txt: every surface of the API with its description, group by group, as far as they fit. */
export const llmsFull = defineDocument(Type.String())({
  build: registry => {
    const { service, surfaces } = registry
    const told = surfaces.filter(({ formats }) => formats[0] !== 'html')
    const groups = [...new Set(told.map(groupOf))].sort()
    const entries = groups.flatMap(group =>
      told
        .filter(surface => groupOf(surface) === group)
        .map((surface, at) => ({
          id: surface.id,
          text:
            (at === 0 ? `\n## ${group}\n\n${tagMeaning(registry, group)}\n\n` : '') +
            line(registry, surface) +
            (surface.description === '' ? '' : `  ${surface.description.trim().replaceAll(/\s+/g, ' ')}\n`)
        }))
    )
    let length = 0
    const fitting = entries.filter(({ text }) => (length += text.length) <= maxFull)
    return (
      `# ${service.name}\n\n> ${service.summary}\n\n${service.description.trim()}\n` +
      fitting.map(({ text }) => text).join('') +
      others(
        registry,
        fitting.map(({ id }) => id)
      )
    )
  }
})

const linkset = 'application/linkset+json'
const catalogType = `${linkset}; profile="https://www.rfc-editor.org/info/rfc9727"`

const CatalogLink = Closed({ href: Url, type: Type.Optional(Text) })

const ApiCatalog = Closed({
  linkset: Type.Array(
    Closed({
      anchor: Url,
      item: Type.Optional(Type.Array(CatalogLink)),
      'service-desc': Type.Optional(Type.Array(CatalogLink)),
      'service-doc': Type.Optional(Type.Array(CatalogLink)),
      'service-meta': Type.Optional(Type.Array(CatalogLink)),
      status: Type.Optional(Type.Array(CatalogLink))
    })
  )
})

/** Builds the catalogue of APIs of an origin (RFC 9727) as a linkset (RFC 9264): one API and its descriptions. */
export const apiCatalog = defineDocument(ApiCatalog)({
  build: registry => {
    const linksTo = (relation: string, type: string, ...documents: readonly string[]) => {
      const links = documents.flatMap(name => documentUrlOf(registry, name) ?? []).map(href => ({ href, type }))
      return links.length === 0 ? {} : { [relation]: links }
    }
    const api = documentUrlOf(registry, 'root') ?? absoluteUrl(registry, '/')
    const self = documentUrlOf(registry, 'api-catalog')
    return {
      linkset: [
        ...(self === null ? [] : [{ anchor: self, item: [{ href: api }] }]),
        {
          anchor: api,
          ...linksTo('service-desc', 'application/json', 'openapi'),
          ...linksTo('service-doc', 'text/plain', 'llms'),
          ...linksTo('service-meta', 'application/json', 'manifest', 'tools'),
          ...linksTo('status', 'application/json', 'health')
        }
      ]
    }
  },
  mediaType: linkset,
  file: () => ({ mediaType: catalogType, control: 'public, max-age=3600' })
})

const validDays = 300
const dayMs = 86_400_000

/**
 * Builds security.txt (RFC 9116). `Expires` is the start of the UTC day 300 days from now, because it should be less
 * than a year ahead (§2.5.5). `Canonical` must begin with `https://` (§2.5.2), so a service without TLS has none.
 */
export const security = defineDocument(Type.String())({
  live: true,
  build: (registry, _request, { now }) => {
    const expires = new Date((Math.floor(now.getTime() / dayMs) + validDays) * dayMs)
    const canonical = documentUrlOf(registry, 'security')
    return [
      `Contact: mailto:${registry.service.contact.email}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      ...(canonical?.startsWith('https://') === true ? [`Canonical: ${canonical}`] : []),
      ''
    ].join('\n')
  }
})

/** Serves the icon. Its path may end in `.ico`: browsers go by the media type (MIME Sniffing §4.1). */
export const favicon = defineDocument(Type.String())({
  build: registry => {
    const icon = iconOf(registry)
    if (icon === undefined) throw notFound('file', 'icon')
    return icon.text
  },
  file: registry => fileOf(iconOf(registry), 'public, max-age=86400')
})

/** The most characters of the short name of a search engine (OpenSearch 1.1, `ShortName`). */
const maxShortName = 16

/** Describes the search field of the menu, so that browsers can offer it (OpenSearch 1.1). */
export const opensearch = defineDocument(Type.String())({
  build: registry => {
    const { name, summary, menu, icon } = siteOf(registry)
    const search = menu.find(({ asks }) => asks !== undefined)
    const { path, asks } = ensureDefined(search, 'the search of the menu')
    const template = `${originOf(registry.service.base_url)}${path}?${asks ?? ''}={searchTerms}`
    const element = (tag: string, text: string): string => `  <${tag}>${escapeXml(text)}</${tag}>\n`
    return [
      '<?xml version="1.0" encoding="utf-8"?>\n<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n',
      element('ShortName', Array.from(name).slice(0, maxShortName).join('')),
      element('Description', summary),
      element('InputEncoding', 'UTF-8'),
      icon === undefined
        ? ''
        : `  <Image type="${icon.mediaType}">${escapeXml(originOf(registry.service.base_url) + icon.path)}</Image>\n`,
      `  <Url type="text/html" template="${escapeXml(template)}"/>\n</OpenSearchDescription>\n`
    ].join('')
  },
  file: () => ({ mediaType: openSearchType, control: 'public, max-age=86400' })
})

const fileOf = (asset: Asset | undefined, control: string) => ({
  mediaType: asset?.mediaType ?? '',
  isBinary: asset?.isBinary ?? false,
  control
})

const assetOf = ({ assets }: Registry, { params }: DiscoveryRequest) =>
  [...assets.values()].find(({ file }) => file === params['file'])

/** Serves assets. The name of each contains a hash of the content, so what it names never changes (RFC 8246). */
export const assets = defineDocument(Type.String())({
  input: { params: Type.Object({ file: Type.String({ minLength: 1, maxLength: 160 }) }) },
  build: (registry, request) => {
    const asset = assetOf(registry, request)
    if (asset === undefined) throw notFound('file', String(request.params['file']))
    return asset.text
  },
  file: (registry, request) => fileOf(assetOf(registry, request), 'public, max-age=31536000, immutable')
})
