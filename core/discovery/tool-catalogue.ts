import { isOpen } from '../access/index.ts'
import type { JsonSchema } from '../canonical/json.ts'
import { invalid } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { DiscoveryRequest } from './discovery.ts'
import { deprecationNote } from './deprecated.ts'
import { namesOf } from './operations.ts'
import { parametersOf, type Parameter } from './parameters.ts'
import { isPaused } from './pointers.ts'

/** One surface as a callable function, before any vendor's form. */
export type Tool = Readonly<{ name: string, description: string, surface: Surface, parameters: readonly Parameter[] }>

const longestDescription = 1000

function cut (text: string): string {
  if (text.length <= longestDescription) return text
  return `${text.slice(0, longestDescription - 1).replace(/\s+\S*$/, '')}…`
}

/** What it is, when not to use it, who may call it and how fresh it is: at most 1,000 characters, as some vendors refuse more. */
function describe (surface: Surface, registry: Registry): string {
  const notes = [
    surface.summary,
    deprecationNote(surface, registry),
    isPaused(surface) ? 'Paused: answers 503 with a status document and no data.' : '',
    isOpen(surface.access) ? '' : `Not public: needs ${surface.access} access.`,
    surface.description === surface.summary ? '' : surface.description,
    surface.doesNotInclude.length === 0 ? '' : `Does not include: ${surface.doesNotInclude.join(' ')}`,
    `Freshness budget ${surface.freshness.seconds} seconds, license ${surface.license}.`
  ]
  return cut(notes.map(note => note.trim()).filter(note => note !== '').join(' '))
}

/** Every surface, in the order of the registry. */
export const toolsOf = (registry: Registry): readonly Tool[] =>
  [...namesOf(registry)].map(([surface, name]) => ({ name, description: describe(surface, registry), surface, parameters: parametersOf(surface) }))

function wordsOf (field: string, value: unknown, allowed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (typeof value !== 'string') return undefined
  const words = value.split(',').map(word => word.trim()).filter(word => word !== '')
  const unknown = words.find(word => !allowed.has(word))
  if (unknown !== undefined) throw invalid(field, `\`${unknown}\` is not one of the ${field} of this catalogue.`, [...allowed].sort())
  return new Set(words)
}

/** The tools a request asks for. `tags` and `names` are lists with commas; a tool must meet both; `limit` cuts the list. Unknown words are a 400. */
export function selectTools (registry: Registry, { query }: DiscoveryRequest): readonly Tool[] {
  const all = toolsOf(registry)
  const tags = wordsOf('tags', query.tags, new Set(all.flatMap(tool => tool.surface.tags)))
  const names = wordsOf('names', query.names, new Set(all.map(tool => tool.name)))
  return all
    .filter(tool => tags === undefined || tool.surface.tags.some(tag => tags.has(tag)))
    .filter(tool => names === undefined || names.has(tool.name))
    .slice(0, typeof query.limit === 'number' ? query.limit : all.length)
}

/** The arguments of a tool as one closed object schema. */
export function argumentsOf (tool: Tool): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(tool.parameters.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: tool.parameters.filter(parameter => parameter.required).map(parameter => parameter.name),
    additionalProperties: false
  }
}
