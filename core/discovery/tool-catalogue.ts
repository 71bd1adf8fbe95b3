import { memoize } from '../canonical/work.ts'
import type { JsonSchema } from '../canonical/json.ts'
import { invalid } from '../handler/errors.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { DiscoveryRequest } from './define.ts'
import { inShort, notesOn, shorten } from './describe.ts'
import { surfaceNamesOf } from '../registry/operations.ts'
import { parametersOf, type Parameter } from './parameters.ts'
import { isPaused } from './pointers.ts'

/** One surface as a function that a language model can call, independent of any vendor's format. */
export type Tool = Readonly<{ name: string; description: string; surface: Surface; parameters: readonly Parameter[] }>

/** Maximum length of a description, in characters: some vendors refuse longer ones. */
const maxDescriptionLength = 1000

/**
 * Returns a function that gives the position of a surface in the catalogue: first surfaces with `agent: core`, then
 * those under `index` in `service.yaml`, then the others, and paused ones last.
 */
function positionIn({ index }: Service): (surface: Surface) => number {
  const listed = new Map(index.flatMap(group => group.surfaces).map((id, position) => [id, position]))
  return surface => (isPaused(surface) ? Infinity : surface.agent === 'core' ? -1 : (listed.get(surface.id) ?? 1e6))
}

type Searchable = Tool & Readonly<{ texts: readonly (readonly [string, number])[] }>

const searchable = (tool: Tool): Searchable => {
  const { summary, tags, route, title } = tool.surface
  const texts = [
    [tool.name, 4],
    [summary, 2],
    [tags.join(' '), 2],
    [`${route.path} ${title} ${tool.description}`, 1]
  ] as const
  return { ...tool, texts: texts.map(([text, weight]) => [text.toLowerCase(), weight]) }
}

/** Arguments of a tool of `profile=core`: all that are required, and others up to this number in all. */
const maxCoreArguments = 6

/** Shortens a tool of `profile=core`, because models have the descriptions of these in their context all the time. */
function coreTool(tool: Tool, registry: Registry): Tool {
  const { surface, parameters } = tool
  const needed = parameters.filter(({ required }) => required)
  const others = parameters.filter(({ required }) => !required).slice(0, Math.max(0, maxCoreArguments - needed.length))
  const kept = parameters.filter(one => needed.includes(one) || others.includes(one))
  const more = parameters.length - kept.length
  const note = more > 0 ? ` It has ${more} more arguments, which its whole description names.` : ''
  return { ...tool, description: inShort(surface, registry) + note, parameters: kept }
}

const catalogueOf = memoize((registry: Registry) => {
  const position = positionIn(registry.service)
  const all = [...surfaceNamesOf(registry)]
    .map(([surface, name]) => {
      const text = [surface.summary.trim(), ...notesOn(surface, registry)].join(' ')
      const description = shorten(text, maxDescriptionLength)
      const parameters = parametersOf(surface).filter(({ parameter }) => parameter !== surface.streams)
      return searchable({ name, description, surface, parameters })
    })
    // `|| 0`: for two paused surfaces, `Infinity - Infinity` is NaN.
    .sort((a, b) => position(a.surface) - position(b.surface) || 0)
  return {
    all,
    core: all.filter(({ surface }) => surface.agent === 'core').map(tool => searchable(coreTool(tool, registry))),
    tags: new Set(all.flatMap(tool => tool.surface.tags)),
    names: new Set(all.map(tool => tool.name))
  }
})

/** Returns all surfaces meant for programs as tools, in the order of the catalogue. */
export const toolsOf = (registry: Registry): readonly Tool[] => catalogueOf(registry).all

function wordsOf(field: string, value: unknown, allowed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (typeof value !== 'string') return undefined
  const words = value
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
  const unknown = words.find(word => !allowed.has(word))
  if (unknown !== undefined)
    throw invalid(field, `\`${unknown}\` is not one of the \`${field}\` of this catalogue.`, [...allowed].sort())
  return new Set(words)
}

/** Returns the sum, over all words, of the weights of the texts that contain the word; 0 if a word is in no text. */
function scoreOf({ texts }: Searchable, words: readonly string[]): number {
  const scores = words.map(word => texts.reduce((sum, [text, weight]) => (text.includes(word) ? sum + weight : sum), 0))
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/** Returns the tools whose texts contain every word of `text`, the best match first. */
function search(tools: readonly Searchable[], text: string): readonly Searchable[] {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
  return tools
    .map(tool => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

/**
 * Returns the tools that a request selects. `tags` and `names` are comma-separated lists, `profile=core` is the small
 * selection, `q` is a search; a tool must match all of them. `limit` cuts the list. An unknown tag or name is a 400.
 */
export function selectTools(registry: Registry, { query }: DiscoveryRequest): readonly Tool[] {
  const catalogue = catalogueOf(registry)
  const tags = wordsOf('tags', query.tags, catalogue.tags)
  const names = wordsOf('names', query.names, catalogue.names)
  const chosen = (query.profile === 'core' ? catalogue.core : catalogue.all).filter(
    ({ name, surface }) => names?.has(name) !== false && (tags === undefined || surface.tags.some(tag => tags.has(tag)))
  )
  const found = typeof query.q === 'string' ? search(chosen, query.q) : chosen
  return found.slice(0, typeof query.limit === 'number' ? query.limit : undefined)
}

export const argumentsOf = ({ parameters }: Tool): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema, description }) => [name, { ...schema, description }])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false
})
