import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import {
  bodyOf,
  dateOf,
  escapeMarkdown,
  humanise,
  isPlain,
  linkTarget,
  notGiven,
  oneLine,
  otherMembers,
  plainFirst,
  titleOf,
  type FormatModule,
  type Plain,
  type View
} from './format.ts'

const inline = (value: Plain): string => {
  if (value === null) return notGiven
  if (typeof value !== 'string') return String(value)
  const target = linkTarget(value)
  return target === undefined ? escapeMarkdown(value) : `<${target}>`
}

/** Returns the Markdown lines of a value; the headings among them have the level `depth` or a deeper one. */
function lines(value: JsonValue, depth: number, indent = ''): string[] {
  if (isPlain(value)) return [`${indent}${inline(value)}`]
  if (!isObject(value))
    return value.flatMap(item => (isPlain(item) ? [`${indent}- ${inline(item)}`] : bullet(item, indent)))
  const out: string[] = []
  for (const [name, member] of plainFirst(value)) {
    if (isPlain(member)) {
      out.push(
        typeof member === 'string' && member.length > 80 && indent === ''
          ? `\n${heading(depth, humanise(name))}\n\n${inline(member)}\n`
          : `${indent}- ${humanise(name)}: ${inline(member)}`
      )
    } else if (indent === '' && depth < 6)
      out.push(`\n${heading(depth, humanise(name))}\n`, ...lines(member, depth + 1))
    else out.push(`${indent}- ${humanise(name)}:`, ...lines(member, depth, `${indent}  `))
  }
  return out
}

const heading = (depth: number, text: string): string =>
  `${'#'.repeat(Math.min(depth, 6))} ${escapeMarkdown(oneLine(text))}`

function bullet(item: JsonValue, indent: string): string[] {
  const [first, ...rest] = lines(item, 6, `${indent}  `)
  return first === undefined ? [] : [`${indent}- ${first.trim().replace(/^- /, '')}`, ...rest]
}

export function renderMarkdown(view: View): string {
  const head = [heading(1, view.title), '', escapeMarkdown(view.summary), '']
  if (view.list === undefined) return tidy([...head, ...lines(view.data, 2)])
  const { entries, key, roles } = view.list
  const sections = entries.flatMap(entry => {
    const date = oneLine(dateOf(entry, roles))
    return [
      `## ${date === '' ? '' : `${date} · `}${escapeMarkdown(oneLine(titleOf(entry, roles, key)))}`,
      '',
      escapeMarkdown(bodyOf(entry, roles)),
      '',
      ...lines(otherMembers(entry, roles), 3, ' '),
      ''
    ]
  })
  return tidy([...head, ...sections])
}

/** Joins lines; several empty lines in a row become one. */
const joinLines = (parts: readonly string[]): string => parts.join('\n').replace(/\n{3,}/g, '\n\n')

const tidy = (parts: readonly string[]): string => `${joinLines(parts).trim()}\n`

export const md: FormatModule = {
  mediaType: 'text/markdown; charset=utf-8',
  accepts: ['text/markdown'],
  of: ['words'],
  render: renderMarkdown
}

/** Maximum number of characters of a list that is written on one line. */
const maxEnumerationLength = 100
const noWord = /[,;\n]|[.!?]$|^$|^.{31}/u

const word = (value: Plain): string =>
  value === null ? notGiven : value === true ? 'yes' : value === false ? 'no' : String(value).trim()

const line = (indent: string, text: string): string => `${indent}${text.replaceAll(/\s*\n\s*/g, `\n${indent}`)}`

function underlined(text: string, underline: '=' | '-'): string[] {
  const title = oneLine(text)
  return [title, underline.repeat(Array.from(title).length), '']
}

/** Joins a few short plain values as `a, b and c`, no values as `none`; returns `undefined` for any other list. */
function enumeration(items: readonly JsonValue[]): string | undefined {
  if (!items.every(isPlain)) return undefined
  const words = items.map(word)
  if (words.some(each => noWord.test(each)) || words.join(', ').length > maxEnumerationLength) return undefined
  return words.length < 2 ? (words[0] ?? 'none') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

const titleMembers = ['name', 'title', 'label', 'id', 'slug'] as const

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

function member(name: string, value: JsonValue, indent: string): string[] {
  const label = humanise(name)
  if (isPlain(value)) return [line(indent, `${label}: ${word(value)}`)]
  const inline = isObject(value) ? (Object.keys(value).length === 0 ? 'none' : undefined) : enumeration(value)
  return inline === undefined
    ? [`${indent}${label}:`, ...block(value, `${indent}  `)]
    : [line(indent, `${label}: ${inline}`)]
}

function block(value: JsonValue, indent: string): string[] {
  if (isPlain(value)) return [line(indent, word(value))]
  return isObject(value)
    ? plainFirst(value).flatMap(([name, inner]) => member(name, inner, indent))
    : value.flatMap((one, index) => item(one, index, indent))
}

/** Returns the lines of a document: first the members that fit on a line, then the others, each below a heading. */
function sections(document: JsonObject): string[] {
  const members = plainFirst(document).map(([name, value]) => ({ name, value, written: member(name, value, '') }))
  const isLine = ({ value, written }: (typeof members)[number]): boolean => isPlain(value) || written.length === 1
  const headed = members
    .filter(one => !isLine(one))
    .flatMap(({ name, value }) => {
      const count = Array.isArray(value) ? ` (${value.length})` : ''
      return ['', ...underlined(`${humanise(name)}${count}`, '-'), ...block(value, '')]
    })
  return [...members.filter(isLine).flatMap(({ written }) => written), ...headed]
}

/**
 * Writes JSON as plain text for people and screen readers: the title and the summary, then headings, `Label: value`
 * lines and lists, without JSON punctuation.
 */
export function renderProse(title: string, summary: string, data: JsonValue): string {
  const body = isObject(data) ? sections(data) : block(data, '')
  return `${joinLines([...underlined(title, '='), summary, '', ...body]).trimEnd()}\n`
}

/** Plain text. Data that is a string is the whole text; other data is written by `renderProse`. */
export const txt: FormatModule = {
  mediaType: 'text/plain; charset=utf-8',
  accepts: ['text/plain'],
  of: ['words'],
  render: ({ title, summary, data, prose = data }) =>
    typeof prose === 'string' ? prose : renderProse(title, summary, prose)
}
