const names = '[A-Za-z][\\w:.-]*'
const attribute = `\\s+${names}="(?:[^"<&]|&(?:amp|lt|gt|quot|#39);)*"`
const tokenOf = (attributes: string): RegExp =>
  new RegExp(`<(/?)(${names})((?:${attributes})*)\\s*(/?)>|([^<&]+)|&(?:amp|lt|gt|quot|#39);`, 'y')
// Only in HTML may an attribute have no value, which is then empty.
const tokens = {
  xml: tokenOf(attribute),
  html: tokenOf(`${attribute}|\\s+(?:checked|selected|required|readonly|value)`)
}
const voidElements = new Set(['meta', 'link', 'br', 'hr', 'img', 'input'])
// XML 1.0 §2.2, and lone surrogates, which no UTF-8 text holds.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u

/**
 * What is wrong with a text of XML or HTML; `undefined` when its elements nest and close, its attributes are quoted,
 * and its characters and entities are allowed. It takes only the subset that this project writes, so what it passes any
 * parser passes.
 */
export function markupProblem(text: string, form: 'xml' | 'html'): string | undefined {
  const start = /^(<\?xml version="1\.0" encoding="utf-8"\?>\n|<!doctype html>\n)?/.exec(text)?.[0].length ?? 0
  const token = tokens[form]
  if (forbidden.test(text)) return 'a forbidden character'
  const open: string[] = []
  let roots = 0
  for (let at = start; at < text.length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return `at ${at}: ${text.slice(at, at + 60)}`
    const [, closing, name, , empty, characters] = found
    if (name === undefined) {
      if (open.length === 0 && characters?.trim() !== '') return `text outside the root: ${text.slice(at, at + 60)}`
    } else if (closing === '/') {
      if (open.pop() !== name) return `at ${at}: </${name}> closes nothing`
    } else if (empty === '' && !(form === 'html' && voidElements.has(name))) {
      if (open.length === 0) roots += 1
      open.push(name)
    }
  }
  if (open.length > 0) return `not closed: ${open.join(' ')}`
  return roots === 1 ? undefined : `${roots} roots`
}

/** The texts of all elements of a name, entities resolved. */
export const elementTexts = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`, 'g'))].map(found => unescaped(found[1] ?? ''))

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'"
}

export const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => entities[entity] ?? entity)
