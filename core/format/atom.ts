import { escapeXml } from './escape.ts'
import { bodyOf, dateOf, roleOf, titleOf, type FormatModule, type View } from './format.ts'

/** A date or timestamp as RFC 3339 (RFC 4287 §3.3 wants a full date-time). */
const instant = (text: string): string => /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text === '' ? '1970-01-01T00:00:00Z' : text

/** Atom 1.0 feed of a collection (RFC 4287). Ids are permanent: the feed's URL and the entry's key. */
function renderAtom (view: View): string {
  const { entries, key, roles } = view.list ?? { entries: [], key: 'id', roles: {} }
  const updated = entries.map(entry => instant(dateOf(entry, roles))).sort().at(-1) ?? instant('')
  const items = entries.map(entry => {
    const id = roleOf(entry, key, [])
    const link = roleOf(entry, roles.link, [])
    const href = link.startsWith('/') ? `${view.origin}${link}` : link === '' ? `${view.url}#${encodeURIComponent(id)}` : link
    return '<entry>' +
      `<id>${escapeXml(`${view.url}#${encodeURIComponent(id)}`)}</id><title>${escapeXml(titleOf(entry, roles, key))}</title>` +
      `<updated>${instant(dateOf(entry, roles))}</updated><link rel="alternate" href="${escapeXml(href)}"/>` +
      `<content type="text">${escapeXml(bodyOf(entry, roles))}</content></entry>`
  })
  return '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">' +
    `<id>${escapeXml(view.url)}</id><title>${escapeXml(`${view.service}: ${view.title}`)}</title><subtitle>${escapeXml(view.summary)}</subtitle>` +
    `<updated>${updated}</updated><author><name>${escapeXml(view.service)}</name><email>${escapeXml(view.contact)}</email></author>` +
    `<link rel="self" type="application/atom+xml" href="${escapeXml(`${view.url}?format=atom`)}"/><link rel="alternate" type="application/json" href="${escapeXml(view.url)}"/>` +
    `${items.join('')}</feed>\n`
}

export const atom: FormatModule = { format: 'atom', mediaType: 'application/atom+xml; charset=utf-8', accepts: ['application/atom+xml'], render: renderAtom }
