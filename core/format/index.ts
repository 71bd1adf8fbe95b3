import type { Format } from '../vocabulary/words.ts'
import { atom } from './atom.ts'
import type { FormatModule } from './format.ts'
import { html } from './html.ts'
import { json, xenoform } from './json.ts'
import { jsonld } from './jsonld.ts'
import { md } from './md.ts'
import { ndjson } from './ndjson.ts'
import { anthropic, cohere, gemini, openai } from './prompts.ts'
import { svg } from './svg.ts'
import { txt } from './txt.ts'

/** Every representation, by name. */
export const formatModules: Readonly<Record<Format, FormatModule>> = { json, md, txt, atom, ndjson, svg, html, jsonld, xenoform, anthropic, openai, gemini, cohere }
