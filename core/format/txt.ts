import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { humanise, isPlain, notGiven, plainFirst, type FormatModule, type Plain, type View } from './format.ts'

/**
 * Maximum characters of a list that is written as one sentence; a longer list, or one whose items are sentences, has a
 * line for each item.
 */
const longestEnumeration = 100
const noWord = /[,;\n]|[.!?]$|^$|^.{31}/u

const word = (value: Plain): string =>
  value === null ? notGiven : value === true ? 'yes' : value === false ? 'no' : String(value).trim()

/** Indents all lines of a text. */
const line = (indent: string, text: string): string => `${indent}${text.replaceAll(/\s*\n\s*/g, `\n${indent}`)}`

const underlined = (text: string, underline: '=' | '-'): string[] => [
  text,
  underline.repeat(Array.from(text).length),
  ''
]

/** Joins a few short words as `a, b and c`; returns undefined for others. */
function enumeration(items: readonly Plain[]): string | undefined {
  const words = items.map(word)
  if (words.some(each => noWord.test(each)) || words.join(', ').length > longestEnumeration) return undefined
  return words.length < 2 ? (words[0] ?? 'none') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

const titleMembers = ['name', 'title', 'label', 'id', 'slug'] as const

/** Writes an item of a list: its number and its name, then its other members. */
function item(value: JsonValue, index: number, indent: string): string[] {
  if (isPlain(value)) return [line(indent, `- ${word(value)}`)]
  const inner = `${indent}   `
  if (!isObject(value)) return [`${indent}${index + 1}.`, ...block(value, inner), '']
  const named = titleMembers.find(name => typeof value[name] === 'string' && value[name] !== '')
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== named))
  return [
    line(indent, `${index + 1}. ${named === undefined ? '' : word(value[named] as string)}`.trimEnd()),
    ...block(rest, inner),
    ''
  ]
}

const items = (list: readonly JsonValue[], indent: string): string[] =>
  list.flatMap((value, index) => item(value, index, indent))

/** Writes a member: on one line, or as a line that ends with a colon and its indented content. */
function member(name: string, value: JsonValue, indent: string): string[] {
  const label = humanise(name)
  if (isPlain(value)) return [line(indent, `${label}: ${word(value)}`)]
  const said = Array.isArray(value)
    ? value.every(isPlain)
      ? enumeration(value)
      : undefined
    : Object.keys(value).length === 0
      ? 'none'
      : undefined
  return said === undefined
    ? [`${indent}${label}:`, ...block(value, `${indent}  `)]
    : [line(indent, `${label}: ${said}`)]
}

function block(value: JsonValue, indent: string): string[] {
  if (isPlain(value)) return [line(indent, word(value))]
  return isObject(value)
    ? plainFirst(value).flatMap(([name, inner]) => member(name, inner, indent))
    : items(value, indent)
}

/** Writes a document: first the members that fit on a line, then the larger ones, each below a heading. */
function sections(document: JsonObject): string[] {
  const told = plainFirst(document).map(([name, value]) => ({ name, value, said: member(name, value, '') }))
  const isLine = ({ value, said }: (typeof told)[number]): boolean => isPlain(value) || said.length === 1
  const headed = told
    .filter(one => !isLine(one))
    .flatMap(({ name, value }) => {
      const count = Array.isArray(value) ? ` (${value.length})` : ''
      return ['', ...underlined(`${humanise(name)}${count}`, '-'), ...block(value, '')]
    })
  return [...told.filter(isLine).flatMap(({ said }) => said), ...headed]
}

/** Writes JSON as prose for people and screen readers: headings, sentences and lists, without JSON punctuation. */
export function renderProse(title: string, summary: string, data: JsonValue): string {
  const body = isObject(data) ? sections(data) : block(data, '')
  return `${[...underlined(title, '='), summary, '', ...body]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`
}

/** Writes the document as plain text; a document that is a string is returned unchanged. */
const renderText = ({ title, summary, data, prose = data }: View): string =>
  typeof prose === 'string' ? prose : renderProse(title, summary, prose)

export const txt: FormatModule = {
  mediaType: 'text/plain; charset=utf-8',
  accepts: ['text/plain'],
  of: ['words'],
  render: renderText
}
