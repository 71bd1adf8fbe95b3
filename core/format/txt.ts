import type { JsonValue } from '../canonical/json.ts'
import { humanise, isPlain, type FormatModule, type Plain, type View } from './format.ts'

const word = (value: Plain): string => value === null ? 'none' : String(value)

function prose (value: JsonValue, indent: string): string[] {
  if (isPlain(value)) return [`${indent}${word(value)}`]
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => isPlain(item) ? [`${indent}* ${word(item)}`] : [...prose(item, indent), ''])
  return Object.entries(value).flatMap(([name, member]) =>
    isPlain(member) ? [`${indent}${humanise(name)}: ${word(member)}`] : [`${indent}${humanise(name)}:`, ...prose(member, `${indent}  `)])
}

/** The document as plain text; a text document is passed on as it is. */
export function renderText (view: View): string {
  if (typeof view.data === 'string') return view.data
  return `${[view.title, '', ...prose(view.data, '')].join('\n').replace(/\n{3,}/g, '\n\n').trimEnd()}\n`
}

export const txt: FormatModule = { format: 'txt', mediaType: 'text/plain; charset=utf-8', accepts: ['text/plain'], render: renderText }
