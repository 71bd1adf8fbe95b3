import { isObject } from '../canonical/json.ts'
import { escapeXml } from './escape.ts'
import { textOf, type FormatModule, type View } from './format.ts'

const wrap = (text: string, width: number, most: number): string[] => {
  const out: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width) {
      out.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') out.push(line)
  return out.length <= most ? out : [...out.slice(0, most - 1), `${(out[most - 1] ?? '').slice(0, width - 1)}…`]
}

/**
 * Returns the document's own drawing (`data.svg`), or renders its title and the beginning of its text on a sheet of
 * 600 x 340 units.
 */
function renderSvg(view: View): string {
  if (isObject(view.data) && typeof view.data.svg === 'string') return view.data.svg
  const words = isObject(view.data)
    ? Object.values(view.data).find(value => typeof value === 'string' && value.length > 20)
    : view.data
  const text = wrap(textOf(words ?? view.summary), 62, 9).map(
    (line, index) => `<text x="40" y="${128 + index * 22}" font-size="16">${escapeXml(line)}</text>`
  )
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="340" viewBox="0 0 600 340" role="img" font-family="Georgia, serif" fill="#1d2a33">' +
    `<title>${escapeXml(view.title)}</title><rect width="600" height="340" rx="14" fill="#faf6ec"/><rect x="14" y="14" width="572" height="312" rx="8" fill="none" stroke="#b9a774"/>` +
    `<text x="40" y="82" font-size="26">${escapeXml(view.title.slice(0, 44))}</text>${text.join('')}` +
    `<text x="560" y="306" font-size="12" text-anchor="end" fill="#6b6250">${escapeXml(view.service)}</text></svg>\n`
  )
}

export const svg: FormatModule = {
  mediaType: 'image/svg+xml; charset=utf-8',
  accepts: ['image/svg+xml'],
  of: ['object'],
  policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  render: renderSvg
}
