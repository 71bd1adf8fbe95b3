import type { JsonSchema } from '../canonical/json.ts'
import { invalid } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { DiscoveryRequest } from './discovery.ts'
import { inShort, notesOn } from './describe.ts'
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

/** What it is and what is worth knowing of it: at most 1,000 characters, as some vendors refuse more. */
const describe = (surface: Surface, registry: Registry): string => cut([surface.summary.trim(), ...notesOn(surface, registry)].join(' '))

/** Where a surface is in the catalogue: those that agents need most, then the groups that the service puts first, then the others; paused ones last. */
function placesOf ({ service, surfaces }: Registry): ReadonlyMap<Surface, number> {
  const listed = service.index.flatMap(group => group.surfaces)
  const place = ({ agent, id }: Surface): number => agent === 'core' ? -1 : listed.includes(id) ? listed.indexOf(id) : listed.length
  return new Map(surfaces.map(surface => [surface, isPaused(surface) ? Infinity : place(surface)]))
}

/** Every surface, in the order of its use. */
export function toolsOf (registry: Registry): readonly Tool[] {
  const places = placesOf(registry)
  return [...namesOf(registry)].map(([surface, name]) => ({ name, description: describe(surface, registry), surface, parameters: parametersOf(surface) }))
    .sort((a, b) => (places.get(a.surface) ?? 0) - (places.get(b.surface) ?? 0) || 0)
}

function wordsOf (field: string, value: unknown, allowed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (typeof value !== 'string') return undefined
  const words = value.split(',').map(word => word.trim()).filter(word => word !== '')
  const unknown = words.find(word => !allowed.has(word))
  if (unknown !== undefined) throw invalid(field, `\`${unknown}\` is not one of the ${field} of this catalogue.`, [...allowed].sort())
  return new Set(words)
}

/** The few that agents need most, in few words: they are in front of a model all the time. */
const coreTools = (registry: Registry): readonly Tool[] =>
  toolsOf(registry).filter(({ surface }) => surface.agent === 'core').map(tool => ({ ...tool, description: inShort(tool.surface, registry) }))

/** How well a tool fits what is searched for: each word counts where it is found, most in the name; 0 where one is nowhere. */
function fitOf ({ name, description, surface }: Tool, words: readonly string[]): number {
  const places = [[name, 4], [surface.summary, 2], [surface.tags.join(' '), 2], [`${surface.route.path} ${surface.title} ${description}`, 1]] as const
  const fits = words.map(word => places.reduce((sum, [text, weight]) => text.toLowerCase().includes(word) ? sum + weight : sum, 0))
  return fits.includes(0) ? 0 : fits.reduce((sum, fit) => sum + fit, 0)
}

/** The tools that hold every word, the best first. */
function search (tools: readonly Tool[], text: string): readonly Tool[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
  const fits = new Map(tools.map(tool => [tool, fitOf(tool, words)]))
  return tools.filter(tool => fits.get(tool) !== 0).sort((a, b) => (fits.get(b) ?? 0) - (fits.get(a) ?? 0))
}

/**
 * The tools a request asks for. `tags` and `names` are lists with commas, `profile` is the small selection, `q` a search; a tool must meet all of them; `limit`
 * cuts the list. Unknown words are a 400.
 */
export function selectTools (registry: Registry, { query }: DiscoveryRequest): readonly Tool[] {
  const all = toolsOf(registry)
  const tags = wordsOf('tags', query.tags, new Set(all.flatMap(tool => tool.surface.tags)))
  const names = wordsOf('names', query.names, new Set(all.map(tool => tool.name)))
  const chosen = (query.profile === 'core' ? coreTools(registry) : all)
    .filter(tool => tags === undefined || tool.surface.tags.some(tag => tags.has(tag)))
    .filter(tool => names === undefined || names.has(tool.name))
  const found = typeof query.q === 'string' ? search(chosen, query.q) : chosen
  return found.slice(0, typeof query.limit === 'number' ? query.limit : all.length)
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
