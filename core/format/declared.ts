import { isObject, type JsonValue } from '../canonical/json.ts'
import { renderMarkdown } from './md.ts'
import type { FormatModule, View } from './format.ts'

/** Placeholders in the body of a declared format, and the part of the answer that replaces each. */
const holes: Readonly<Record<string, (view: View) => JsonValue>> = {
  $data: ({ data }) => data,
  $markdown: renderMarkdown,
  $url: ({ url }) => url
}

/** A format that a service declares: JSON with placeholders. */
export type DeclaredFormat = Readonly<{ meaning: string; body: JsonValue }>

function filled(body: JsonValue, view: View): JsonValue {
  if (typeof body === 'string') return Object.hasOwn(holes, body) ? (holes[body]?.(view) ?? null) : body
  if (Array.isArray(body)) return (body as readonly JsonValue[]).map(item => filled(item, view))
  return isObject(body)
    ? Object.fromEntries(Object.entries(body).map(([name, member]) => [name, filled(member, view)]))
    : body
}

export const declaredFormat = ({ body }: DeclaredFormat): FormatModule => ({
  mediaType: 'application/json; charset=utf-8',
  accepts: [],
  of: ['object'],
  render: view => JSON.stringify(filled(body, view))
})
