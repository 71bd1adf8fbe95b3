import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { escapeMarkdown, linkTarget } from './escape.ts'
import {
  bodyOf,
  dateOf,
  humanise,
  isPlain,
  notGiven,
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

/** Returns the lines of a value below a heading of the given depth. */
function lines(value: JsonValue, depth: number, indent = ''): string[] {
  if (isPlain(value)) return [`${indent}${inline(value)}`]
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue) => (isPlain(item) ? [`${indent}- ${inline(item)}`] : bullet(item, indent)))
  const out: string[] = []
  for (const [name, member] of plainFirst(value as JsonObject)) {
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

const heading = (depth: number, text: string): string => `${'#'.repeat(Math.min(depth, 6))} ${escapeMarkdown(text)}`

function bullet(item: JsonValue, indent: string): string[] {
  const [first, ...rest] = lines(item, 6, `${indent}  `)
  return first === undefined ? [] : [`${indent}- ${first.trim().replace(/^- /, '')}`, ...rest]
}

/** Writes the document as Markdown: headings from member names, entries of a collection as sections. */
export function renderMarkdown(view: View): string {
  const head = [`# ${escapeMarkdown(view.title)}`, '', escapeMarkdown(view.summary), '']
  if (view.list === undefined) return tidy([...head, ...lines(view.data, 2)])
  const { entries, key, roles } = view.list
  const sections = entries.flatMap(entry => {
    const date = dateOf(entry, roles)
    const rest = Object.fromEntries(
      Object.entries(entry).filter(([name]) => ![roles.title, roles.date, roles.text].includes(name))
    )
    return [
      `## ${date === '' ? '' : `${date} · `}${escapeMarkdown(titleOf(entry, roles, key))}`,
      '',
      escapeMarkdown(bodyOf(entry, roles)),
      '',
      ...lines(rest, 3, ' '),
      ''
    ]
  })
  return tidy([...head, ...sections])
}

const tidy = (parts: readonly string[]): string =>
  `${parts
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`

export const md: FormatModule = {
  mediaType: 'text/markdown; charset=utf-8',
  accepts: ['text/markdown'],
  of: ['words'],
  render: renderMarkdown
}
