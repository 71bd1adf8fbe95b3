/** Characters that XML 1.0 (§2.2) forbids even when escaped. */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }

/** Text for an element or a quoted attribute of XML, SVG or HTML. */
export const escapeXml = (text: string): string => text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, char => entities[char] ?? char)

/** Text for a Markdown paragraph: nothing in it can become markup. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#|]/g, char => `\\${char}`)

/** A link target for Markdown: http(s) or a path, with what could end the target escaped; `undefined` for anything else. */
export function linkTarget (text: string): string | undefined {
  if (!/^(https?:\/\/|\/(?!\/))[^\s]*$/.test(text)) return undefined
  return text.replace(/[()<>\\]/g, char => encodeURIComponent(char) === char ? `%${char.charCodeAt(0).toString(16)}` : encodeURIComponent(char))
}
