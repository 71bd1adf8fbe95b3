import type { Static } from 'typebox'
import { admitsEveryone } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { notFound, type SurfaceError } from '../handler/errors.ts'
import { compilePathTo } from '../manifest/paths.ts'
import { pagesOf, type Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { Closed, defineDocument, Path } from './define.ts'

/** Maximum number of URLs in one sitemap (sitemaps.org). */
export const maxUrls = 50_000

const SitemapDocument = Closed({
  '@kind': Type.Literal('sitemap'),
  urls: Type.Array(Path, { maxItems: maxUrls }),
  sitemaps: Type.Optional(
    Type.Array(Path, { description: 'Of an index: the sitemaps that have the URLs, because one cannot have so many.' })
  )
})

export type Sitemap = Static<typeof SitemapDocument>

/** Returns the index of the sitemaps that are the parts of a surface. */
export const sitemapIndex = (path: string, count: number): Sitemap => ({
  '@kind': 'sitemap',
  urls: [],
  sitemaps: Array.from({ length: count }, (_, index) => `${path}?part=${index + 1}`)
})

export const noPart = (part: number, count: number): SurfaceError => notFound('sitemap', String(part), { parts: count })

/** Whether a surface has a form for people that everyone may read. */
export const hasPublicPage = ({ access, route, formats }: Surface): boolean =>
  admitsEveryone(access) && formats.includes('html') && route.methods.includes('GET')

/** Whether a surface is a page that everyone may read and search engines may keep. */
const isPublicPage = (surface: Surface): boolean =>
  surface.formats[0] === 'html' && hasPublicPage(surface) && surface.page?.isIndexed !== false

/** Returns, for each page that shows one entry of a corpus to everyone, its path for a key. */
export function entryPagesOf(
  corpus: string,
  { surfaces, byId }: Registry,
  isPage: (surface: Surface) => boolean = isPublicPage
): ((key: string | number) => string)[] {
  const pathTo = compilePathTo(byId)
  return surfaces.flatMap(one => {
    const [placeholder, ...more] = one.route.placeholders
    if (one.shows?.as !== 'one' || one.shows.corpus !== corpus || placeholder === undefined || more.length > 0)
      return []
    const pages = [one, ...pagesOf(one, surfaces).map(({ page }) => page)].filter(isPage)
    return pages.map(
      ({ id }) =>
        (key: string | number) =>
          pathTo(id, { [placeholder]: String(key) })
    )
  })
}

/** Returns the paths of the pages of entries in files. Rows are known to the database alone. */
const entryPaths = (registry: Registry): string[] =>
  [...registry.corpora.values()]
    .filter(({ table }) => table === undefined)
    .flatMap(({ name, byKey }) => entryPagesOf(name, registry).flatMap(pathOf => [...byKey.keys()].map(pathOf)))

/**
 * Lists the pages that everyone may read and search engines may keep: those whose paths have no placeholders, and those
 * of the entries of corpora. More than one file may have are in parts, and the document without `part` is their index.
 * The pages of rows are in sitemaps of their own.
 */
export const sitemap = defineDocument(SitemapDocument)({
  input: {
    query: Closed({
      part: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 50_000, description: 'Which sitemap of an index, beginning with 1.' })
      )
    })
  },
  build: (registry, { query: { part } }) => {
    const { surfaces } = registry
    const fixed = surfaces.filter(surface => isPublicPage(surface) && surface.route.placeholders.length === 0)
    const all = [...new Set([...fixed.map(({ route }) => route.path), ...entryPaths(registry)])]
    const count = Math.max(1, Math.ceil(all.length / maxUrls))
    if (part === undefined && count === 1) return { '@kind': 'sitemap', urls: all }
    const path = surfaces.find(({ serves }) => serves === 'sitemap')?.route.path ?? ''
    if (part === undefined) return sitemapIndex(path, count)
    const at = Number(part)
    if (at > count) throw noPart(at, count)
    return { '@kind': 'sitemap', urls: all.slice((at - 1) * maxUrls, at * maxUrls) }
  }
})
