import type { JsonValue } from '../canonical/json.ts'
import { escapeXml, linkTarget } from './escape.ts'
import { bodyOf, dateOf, humanise, titleOf, type FormatModule, type View } from './format.ts'
import { writePage } from './page.ts'

const plain = (value: null | boolean | number | string): string => {
  if (value === null) return '<span class="none">none</span>'
  const target = typeof value === 'string' ? linkTarget(value) : undefined
  return target === undefined
    ? escapeXml(String(value))
    : `<a href="${escapeXml(target)}">${escapeXml(String(value))}</a>`
}

function block(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return plain(value)
  if (Array.isArray(value))
    return value.length === 0
      ? '<p class="none">none</p>'
      : `<ul>${value.map((item: JsonValue) => `<li>${block(item)}</li>`).join('')}</ul>`
  return `<dl>${Object.entries(value)
    .map(([name, member]) => `<dt>${escapeXml(humanise(name))}</dt><dd>${block(member)}</dd>`)
    .join('')}</dl>`
}

/** Writes the entries of a list as sections: a heading, the text, then the other fields. */
function sections({ entries, key, roles }: NonNullable<View['list']>): string {
  return entries
    .map(entry => {
      const date = dateOf(entry, roles)
      const words = bodyOf(entry, roles)
      const rest = Object.fromEntries(
        Object.entries(entry).filter(([name]) => ![roles.title, roles.date, roles.text].includes(name))
      )
      return `<section><h2>${date === '' ? '' : `<time>${escapeXml(date)}</time> · `}${escapeXml(titleOf(entry, roles, key))}</h2>${words === '' ? '' : `<p>${escapeXml(words)}</p>`}${block(rest)}</section>`
    })
    .join('')
}

const renderPage = ({ site, title, summary, path, language, list, data }: View): string =>
  writePage(site, {
    title,
    description: summary,
    path,
    language,
    main: `<p>${escapeXml(summary)}</p>${list === undefined ? block(data) : sections(list)}`
  })

export const html: FormatModule = {
  mediaType: 'text/html; charset=utf-8',
  accepts: ['text/html', 'application/xhtml+xml'],
  of: ['words'],
  policy:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  render: renderPage
}
