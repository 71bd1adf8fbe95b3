import { isObject, type JsonValue } from '../canonical/json.ts'
import { csv, json, jsonld, ndjson } from './data.ts'
import type { Content, FormatModule, View } from './format.ts'
import { html } from './html.ts'
import { md, renderMarkdown, txt } from './text.ts'
import { atom, sitemap, svg } from './xml.ts'

const modules = { json, md, txt, csv, atom, ndjson, svg, html, jsonld, sitemap }

/** Name of a format that a surface may offer. The first format of a surface is its default. */
export type Format = string

export const formatModules: Readonly<typeof modules> = modules

export const formats: readonly Format[] = Object.keys(modules)

/** The formats whose lists can be written in parts. */
export const streamable: readonly Format[] = Object.entries<FormatModule>(modules).flatMap(([name, { parts }]) =>
  parts === undefined ? [] : [name]
)

export const formatTable = (declared: Readonly<Record<string, DeclaredFormat>>): ReadonlyMap<Format, FormatModule> =>
  new Map([
    ...Object.entries(modules),
    ...Object.entries(declared).map(([name, { body }]) => [name, declaredFormat(body)] as const)
  ])

export const formatsOf = (table: ReadonlyMap<Format, FormatModule>, held: readonly Content[]): readonly Format[] =>
  [...table].filter(([, { of }]) => of.some(content => held.includes(content))).map(([name]) => name)

/** The placeholders in the body of a declared format, each with the function that returns its value. */
const placeholders: Readonly<Record<string, (view: View) => JsonValue>> = {
  $data: ({ data }) => data,
  $markdown: renderMarkdown,
  $url: ({ url }) => url
}

/** A format that a service declares under `formats`: JSON with placeholders. */
type DeclaredFormat = Readonly<{ meaning: string; body: JsonValue }>

function filled(body: JsonValue, view: View): JsonValue {
  if (typeof body === 'string') return Object.hasOwn(placeholders, body) ? (placeholders[body]?.(view) ?? null) : body
  if (isObject(body))
    return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, filled(member, view)]))
  return typeof body === 'object' && body !== null ? body.map(item => filled(item, view)) : body
}

const declaredFormat = (body: JsonValue): FormatModule => ({
  mediaType: 'application/json; charset=utf-8',
  accepts: [],
  of: ['object'],
  render: view => JSON.stringify(filled(body, view))
})
