import { atom } from './atom.ts'
import type { Content, FormatModule } from './format.ts'
import { html } from './html.ts'
import { json, xenoform } from './json.ts'
import { jsonld } from './jsonld.ts'
import { md } from './md.ts'
import { ndjson } from './ndjson.ts'
import { anthropic, cohere, gemini, openai } from './prompts.ts'
import { svg } from './svg.ts'
import { txt } from './txt.ts'

const modules = { json, md, txt, atom, ndjson, svg, html, jsonld, xenoform, anthropic, openai, gemini, cohere }

/** A representation that a surface may offer; the first one a manifest lists is its default. */
export type Format = keyof typeof modules

/** Every representation, by name. Its module holds all that the framework knows of it. */
export const formatModules: Readonly<Record<Format, FormatModule>> = modules

export const formats = Object.keys(modules) as readonly Format[]

/** The formats that can be made of what an answer holds. */
export const formatsOf = (...held: readonly Content[]): readonly Format[] =>
  formats.filter(format => formatModules[format].of.some(content => held.includes(content)))
