import { atom } from './atom.ts'
import { csv } from './csv.ts'
import { declaredFormat, type DeclaredFormat } from './declared.ts'
import type { Content, FormatModule } from './format.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { jsonld } from './jsonld.ts'
import { md } from './md.ts'
import { ndjson } from './ndjson.ts'
import { sitemap } from './sitemap.ts'
import { svg } from './svg.ts'
import { txt } from './txt.ts'

const modules = { json, md, txt, csv, atom, ndjson, svg, html, jsonld, sitemap }

/** Name of a representation that a surface may offer; the first one a manifest lists is its default. */
export type Format = string

/** Every representation of the framework, by name. Its module holds all that is known of it. */
export const formatModules: Readonly<typeof modules> = modules

export const formats: readonly Format[] = Object.keys(modules)

/** The same with those that a service declares. */
export const formatTable = (declared: Readonly<Record<string, DeclaredFormat>>): ReadonlyMap<Format, FormatModule> =>
  new Map([
    ...Object.entries(modules),
    ...Object.entries(declared).map(([name, format]) => [name, declaredFormat(format)] as const)
  ])

/** The formats that can be made of what an answer holds. */
export const formatsOf = (table: ReadonlyMap<Format, FormatModule>, held: readonly Content[]): readonly Format[] =>
  [...table].filter(([, { of }]) => of.some(content => held.includes(content))).map(([name]) => name)
