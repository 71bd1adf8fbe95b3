import { onceFor } from '../canonical/work.ts'
import type { JsonSchema } from '../canonical/json.ts'
import { invalid } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { DiscoveryRequest } from './define.ts'
import { inShort, notesOn, shorten } from './describe.ts'
import { namesOf } from './operations.ts'
import { parametersOf, type Parameter } from './parameters.ts'
import { isPaused } from './pointers.ts'

/** One surface as a callable function, independent of any vendor's format. */
export type Tool = Readonly<{ name: string; description: string; surface: Surface; parameters: readonly Parameter[] }>

const longestDescription = 1000

/**
 * Returns the summary and notes of a surface: at most 1,000 characters, because some vendors refuse longer
 * descriptions.
 */
const describe = (surface: Surface, registry: Registry): string =>
  shorten([surface.summary.trim(), ...notesOn(surface, registry)].join(' '), longestDescription)

/**
 * Returns the position of each surface in the catalogue: first those with `agent: core`, then those in the groups of
 * `service.yaml`, then the others; paused ones are last.
 */
function placesOf({ service, surfaces }: Registry): ReadonlyMap<Surface, number> {
  const listed = service.index.flatMap(group => group.surfaces)
  const place = ({ agent, id }: Surface): number =>
    agent === 'core' ? -1 : listed.includes(id) ? listed.indexOf(id) : listed.length
  return new Map(surfaces.map(surface => [surface, isPaused(surface) ? Infinity : place(surface)]))
}

/** A tool with its searchable texts, in lower case, each with its weight. */
type Searchable = Tool & Readonly<{ texts: readonly (readonly [string, number])[] }>
type Catalogue = Readonly<{
  all: readonly Searchable[]
  core: readonly Searchable[]
  tags: ReadonlySet<string>
  names: ReadonlySet<string>
}>

const searchable = (tool: Tool): Searchable => {
  const {
    name,
    description,
    surface: { summary, tags, route, title }
  } = tool
  const texts = [
    [name, 4],
    [summary, 2],
    [tags.join(' '), 2],
    [`${route.path} ${title} ${description}`, 1]
  ] as const
  return { ...tool, texts: texts.map(([text, weight]) => [text.toLowerCase(), weight] as const) }
}

/** Maximum number of arguments of a tool in the core profile. */
const mostArguments = 6

/** Shortens a tool of the core profile, because models have these descriptions in their context all the time. */
function inFewWords(tool: Tool, registry: Registry): Tool {
  const more = tool.parameters.length - mostArguments
  const note = more > 0 ? ` It has ${more} more arguments, which its whole description names.` : ''
  return {
    ...tool,
    description: inShort(tool.surface, registry) + note,
    parameters: tool.parameters.slice(0, mostArguments)
  }
}

const catalogueOf = onceFor((registry: Registry): Catalogue => {
  const places = placesOf(registry)
  const all = [...namesOf(registry)]
    .map(([surface, name]) =>
      searchable({ name, description: describe(surface, registry), surface, parameters: parametersOf(surface) })
    )
    .sort((a, b) => (places.get(a.surface) ?? 0) - (places.get(b.surface) ?? 0) || 0)
  return {
    all,
    core: all.filter(({ surface }) => surface.agent === 'core').map(tool => searchable(inFewWords(tool, registry))),
    tags: new Set(all.flatMap(tool => tool.surface.tags)),
    names: new Set(all.map(tool => tool.name))
  }
})

/** Returns all surfaces meant for programs as tools, in catalogue order. */
export const toolsOf = (registry: Registry): readonly Tool[] => catalogueOf(registry).all

function wordsOf(field: string, value: unknown, allowed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (typeof value !== 'string') return undefined
  const words = value
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
  const unknown = words.find(word => !allowed.has(word))
  if (unknown !== undefined)
    throw invalid(field, `\`${unknown}\` is not one of the ${field} of this catalogue.`, [...allowed].sort())
  return new Set(words)
}

/**
 * Returns the score of a tool for a search: the sum of the weights of all texts that contain a word, for each word; 0
 * if any word is not found.
 */
function fitOf({ texts }: Searchable, words: readonly string[]): number {
  const fits = words.map(word => texts.reduce((sum, [text, weight]) => (text.includes(word) ? sum + weight : sum), 0))
  return fits.includes(0) ? 0 : fits.reduce((sum, fit) => sum + fit, 0)
}

/** Returns the tools that contain every word, the best match first. */
function search(tools: readonly Searchable[], text: string): readonly Searchable[] {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
  const fits = new Map(tools.map(tool => [tool, fitOf(tool, words)]))
  return tools.filter(tool => fits.get(tool) !== 0).sort((a, b) => (fits.get(b) ?? 0) - (fits.get(a) ?? 0))
}

/**
 * Returns the tools that a request selects. `tags` and `names` are comma-separated lists, `profile=core` is the small
 * selection, `q` is a search; a tool must match all of them. `limit` cuts the list. An unknown tag or name is a 400.
 */
export function selectTools(registry: Registry, { query }: DiscoveryRequest): readonly Tool[] {
  const catalogue = catalogueOf(registry)
  const tags = wordsOf('tags', query.tags, catalogue.tags)
  const names = wordsOf('names', query.names, catalogue.names)
  const chosen = (query.profile === 'core' ? catalogue.core : catalogue.all)
    .filter(tool => tags === undefined || tool.surface.tags.some(tag => tags.has(tag)))
    .filter(tool => names === undefined || names.has(tool.name))
  const found = typeof query.q === 'string' ? search(chosen, query.q) : chosen
  return found.slice(0, typeof query.limit === 'number' ? query.limit : chosen.length)
}

/** Returns the arguments of a tool as one closed object schema. */
export function argumentsOf(tool: Tool): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      tool.parameters.map(({ name, schema, description }) => [name, { ...schema, description }])
    ),
    required: tool.parameters.filter(parameter => parameter.required).map(parameter => parameter.name),
    additionalProperties: false
  }
}
