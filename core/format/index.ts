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

/** Name of a format that a surface may offer; the first one that a manifest lists is its default. */
export type Format = string

/** The formats of the framework, by name; everything about a format is in its module. */
export const formatModules: Readonly<typeof modules> = modules

export const formats: readonly Format[] = Object.keys(modules)

/** Returns the formats of the framework and those that a service declares. */
export const formatTable = (declared: Readonly<Record<string, DeclaredFormat>>): ReadonlyMap<Format, FormatModule> =>
  new Map([
    ...Object.entries(modules),
    ...Object.entries(declared).map(([name, format]) => [name, declaredFormat(format)] as const)
  ])

/** Returns the formats that can be made from the content that an answer has. */
export const formatsOf = (table: ReadonlyMap<Format, FormatModule>, held: readonly Content[]): readonly Format[] =>
  [...table].filter(([, { of }]) => of.some(content => held.includes(content))).map(([name]) => name)
