import { escapeXml } from './format.ts'

/** A piece of HTML: text, or a tag with its attributes. An attribute without a value has the value ''. */
export type Piece = Readonly<{ text: string; tag: string; isEnd: boolean; attributes: ReadonlyMap<string, string> }>

const markup = /<!--[^]*?-->|<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*\/?>/gi
const attribute = /\s+([^\s"'<>/=]+)(?:="([^"]*)")?/g
export const noAttributes: Piece['attributes'] = new Map()

const unescaped: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
/** Returns the text of HTML without tags. */
export const plainText = (html: string): string =>
  html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => unescaped[name] ?? '')

/** Splits the HTML of a view, whose attributes all have double quotes or no value. */
export function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const addText = (text: string): void => {
    if (text !== '') pieces.push({ text, tag: '', isEnd: false, attributes: noAttributes })
  }
  for (const match of html.matchAll(markup)) {
    const [text, slash = '', tag = '', attributes = ''] = match
    addText(html.slice(end, match.index))
    end = match.index + text.length
    const pairs = Array.from(attributes.matchAll(attribute), ([, name = '', value = '']): [string, string] => [
      name.toLowerCase(),
      plainText(value)
    ])
    pieces.push({ text, tag: tag.toLowerCase(), isEnd: slash !== '', attributes: new Map(pairs) })
  }
  addText(html.slice(end))
  return pieces
}

const written = (tag: string, attributes: Piece['attributes']): string =>
  `<${tag}${[...attributes].map(([name, value]) => (value === '' && name !== 'value' ? ` ${name}` : ` ${name}="${escapeXml(value)}"`)).join('')}>`

/** Returns a tag with other attributes; one of undefined is taken away. */
export function changed(piece: Piece, changes: Readonly<Record<string, string | undefined>>): Piece {
  const attributes = new Map(piece.attributes)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) attributes.delete(name)
    else attributes.set(name, value)
  return { ...piece, attributes, text: written(piece.tag, attributes) }
}

/** Elements whose text stays as it is written. */
const verbatim = new Set([
  'code',
  'kbd',
  'option',
  'pre',
  'samp',
  'script',
  'style',
  'svg',
  'textarea',
  'time',
  'title'
])

const code = /`([^`\n]+)`/g
/** Times as pages write them: `2026-11-27 22:18 UTC`, also with seconds, and `27 November 2026 at 22:18 UTC`. */
const moment = /\b(?:(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2})?)|(\d{1,2} [A-Z][a-z]+ \d{4}) at (\d{2}:\d{2})) UTC\b/g

const timeOf = (
  text: string,
  day: string | undefined,
  hour: string | undefined,
  inWords: string,
  at: string
): string => {
  const time = new Date(day === undefined ? `${inWords} ${at} UTC` : `${day}T${hour ?? ''}Z`)
  return Number.isNaN(time.getTime())
    ? text
    : `<time datetime="${time.toISOString().replace('.000Z', 'Z')}">${text}</time>`
}

/**
 * Marks up what views, corpora and messages write as plain text: what is between backticks as code, and times in
 * UTC as times, which a script shows in the zone of the reader.
 */
export function markUp(html: string): string {
  if (!html.includes('`') && !html.includes(' UTC')) return html
  let depth = 0
  return piecesOf(html)
    .map(({ text, tag, isEnd }) => {
      if (verbatim.has(tag) && !text.endsWith('/>')) depth += isEnd ? -1 : 1
      if (tag !== '' || depth > 0) return text
      return text.replace(code, '<code>$1</code>').replace(moment, timeOf)
    })
    .join('')
}
