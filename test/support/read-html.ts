import { unescaped } from './markup.ts'

export type Element = Readonly<{ name: string; attributes: ReadonlyMap<string, string> }>

/**
 * A text as a person reads it: all of a cell or a value, or one run of other text. `within`: names of the elements
 * around it, the outermost first.
 */
export type Text = Readonly<{ isValue: boolean; within: readonly string[]; text: string }>

export type Html = Readonly<{ elements: readonly Element[]; texts: readonly Text[] }>

const token =
  /<!doctype html>|<(?<closing>\/?)(?<name>[a-zA-Z][\w:-]*)(?<attributes>(?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(?<empty>\/?)>|(?<text>[^<]+)/gy
const attribute = /([\w:-]+)(?:="([^"]*)")?/g
const voidElements = new Set(['meta', 'link', 'br', 'hr', 'img', 'input', 'wbr'])

const isValue = ({ name, attributes }: Element): boolean =>
  name === 'td' || name === 'dd' || name === 'h1' || (name === 'th' && attributes.get('scope') === 'row')

/**
 * Elements and texts of a page in their order, as a browser finds them. Throws for what this project does not write,
 * such as an attribute without quotes.
 */
export function readHtml(html: string): Html {
  const elements: Element[] = []
  const texts: Text[] = []
  const open: Element[] = []
  let value: string | undefined
  token.lastIndex = 0
  while (token.lastIndex < html.length) {
    const at = token.lastIndex
    const { closing, name, attributes = '', empty, text } = token.exec(html)?.groups ?? {}
    if (token.lastIndex === 0) throw new Error(`Not written by this project: ${html.slice(at, at + 80)}`)
    const within = open.map(one => one.name)
    if (text !== undefined) {
      if (value !== undefined) value += unescaped(text)
      else if (text.trim() !== '') texts.push({ isValue: false, within, text: unescaped(text).trim() })
    } else if (name !== undefined && closing === '/') {
      const closed = open.pop()
      if (closed?.name !== name) throw new Error(`</${name}> closes ${closed?.name ?? 'nothing'}`)
      if (value !== undefined && isValue(closed) && !open.some(isValue)) {
        texts.push({ isValue: true, within, text: value.trim() })
        value = undefined
      }
    } else if (name !== undefined) {
      const element: Element = {
        name,
        attributes: new Map(
          [...attributes.matchAll(attribute)].map(([, key = '', text = '']) => [key, unescaped(text)])
        )
      }
      elements.push(element)
      if (empty !== '/' && !voidElements.has(name)) open.push(element)
      if (isValue(element)) value ??= ''
    }
  }
  if (open.length > 0) throw new Error(`Not closed: ${open.map(one => one.name).join(' ')}`)
  return { elements, texts }
}
