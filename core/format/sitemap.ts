import { isObject } from '../canonical/json.ts'
import { escapeXml } from './escape.ts'
import type { FormatModule, View } from './format.ts'

/** Maximum URLs of one file (sitemaps.org, "Sitemap file location and limits"). */
const mostUrls = 50_000

/** Writes the paths of `data.urls` as absolute URLs (https://www.sitemaps.org/protocol.html). */
function renderSitemap({ data, origin }: View): string {
  const urls =
    isObject(data) && Array.isArray(data['urls'])
      ? data['urls'].filter(one => typeof one === 'string').slice(0, mostUrls)
      : []
  return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.map(path => `<url><loc>${escapeXml(origin + path)}</loc></url>\n`).join('')}</urlset>\n`
}

export const sitemap: FormatModule = {
  mediaType: 'application/xml; charset=utf-8',
  accepts: ['application/xml', 'text/xml'],
  of: ['object'],
  render: renderSitemap
}
