/** Characters that XML 1.0 (§2.2) forbids even when escaped. */
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Escapes text for an element or a quoted attribute of XML, SVG or HTML. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, char => entities[char] ?? char)

/**
 * Escapes text for a Markdown paragraph, so that none of it becomes markup (CommonMark §2.4): all characters with a
 * special meaning, an ampersand only where it begins an entity, and the markers of lists, headings and rules only at
 * the start of a line.
 */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>#|~]/g, char => `\\${char}`)
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^([ \t]*)([-+=])/gm, '$1\\$2')
    .replace(/^([ \t]*\d+)([.)])/gm, '$1\\$2')

/**
 * Returns a link target for Markdown: an http(s) URL or a path, with characters that could end the target escaped;
 * `undefined` for anything else.
 */
export function linkTarget(text: string): string | undefined {
  if (!/^(https?:\/\/|\/(?!\/))[^\s]*$/.test(text)) return undefined
  return text.replace(/[()<>\\]/g, char =>
    encodeURIComponent(char) === char ? `%${char.charCodeAt(0).toString(16)}` : encodeURIComponent(char)
  )
}
