import { urlOf } from '../canonical/url.ts'
import { escapeXml, linkTarget } from './escape.ts'
import { bodyOf, dateOf, roleOf, titleOf, type FormatModule, type View } from './format.ts'

const epoch = '1970-01-01T00:00:00Z'
const dateForm = /^(\d{4})(-\d{2})?(-\d{2})?(T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Converts a year, month, date or timestamp to RFC 3339 (RFC 4287 §3.3 requires a full date-time); returns 1970-01-01
 * for any other text.
 */
function instant(text: string): string {
  const [, year, month, day, time] = dateForm.exec(text) ?? []
  if (year === undefined || (time !== undefined && day === undefined)) return epoch
  const full = `${year}${month ?? '-01'}${day ?? '-01'}${time ?? 'T00:00:00Z'}`
  return Number.isNaN(Date.parse(full)) ? epoch : full
}

/** Returns the URL of an entry: its own link if that is http(s) or a path, else the page where it is read. */
function addressOf(link: string, origin: string, otherwise: string): string {
  const target = linkTarget(link)
  const address = target?.startsWith('/') === true ? `${origin}${target}` : target
  return (address === undefined ? undefined : urlOf(address)?.href) ?? otherwise
}

/** Writes the Atom 1.0 feed of a collection (RFC 4287). Ids are permanent: the feed's URL and the entry's key. */
function renderAtom(view: View): string {
  const { entries, key, roles, readAt } = view.list ?? { entries: [], key: 'id', roles: {}, readAt: () => view.url }
  const updated =
    entries
      .map(entry => instant(dateOf(entry, roles)))
      .sort((a, b) => Date.parse(a) - Date.parse(b))
      .at(-1) ?? epoch
  const items = entries.map(entry => {
    const id = `${view.url}#${encodeURIComponent(roleOf(entry, key, []).toWellFormed())}`
    return (
      '<entry>' +
      `<id>${escapeXml(id)}</id><title>${escapeXml(titleOf(entry, roles, key))}</title>` +
      `<updated>${instant(dateOf(entry, roles))}</updated><link rel="alternate" href="${escapeXml(addressOf(roleOf(entry, roles.link, []), view.origin, readAt(entry)))}"/>` +
      `<content type="text">${escapeXml(bodyOf(entry, roles))}</content></entry>`
    )
  })
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"' +
    (view.language === undefined ? '>' : ` xml:lang="${view.language}">`) +
    `<id>${escapeXml(view.url)}</id><title>${escapeXml(`${view.service}: ${view.title}`)}</title><subtitle>${escapeXml(view.summary)}</subtitle>` +
    `<updated>${updated}</updated><author><name>${escapeXml(view.service)}</name><email>${escapeXml(view.contact)}</email></author>` +
    `<link rel="self" type="application/atom+xml" href="${escapeXml(`${view.url}?format=atom`)}"/><link rel="alternate" type="application/json" href="${escapeXml(view.url)}"/>` +
    `${items.join('')}</feed>\n`
  )
}

export const atom: FormatModule = {
  mediaType: 'application/atom+xml; charset=utf-8',
  accepts: ['application/atom+xml'],
  of: ['list'],
  render: renderAtom
}
