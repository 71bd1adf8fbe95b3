const blocks =
  /<\/?(?:address|article|blockquote|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)\b[^>]*>|<br\b[^>]*>/gi

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  middot: '·'
}

/**
 * Returns the text of a page or drawing of this service, one line per block. It handles only the markup that this
 * service produces.
 */
export const readPage = (markup: string): string =>
  markup
    .replace(/<(style|script|head)\b[^>]*>[^]*?<\/\1>/gi, '')
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<(?:\/td|\/th)>/gi, ' ')
    .replace(/<\/(?:title|desc|text)>/gi, '\n')
    .replace(blocks, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^- *\n+/gm, '- ')
    .trim()
