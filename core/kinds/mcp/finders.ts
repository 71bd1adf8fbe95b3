import { accessMeaning, accessTable, admits } from '../../access/index.ts'
import { isObject, type JsonObject, type JsonSchema } from '../../canonical/json.ts'
import { exampleArguments, workingExamples } from '../../discovery/parameters.ts'
import { argumentsOf, selectTools, type Tool } from '../../discovery/tool-catalogue.ts'
import { invalid, SurfaceError } from '../../handler/errors.ts'
import { isForAgents } from '../../manifest/surface.ts'
import { check } from '../../plan/input.ts'
import type { Registry } from '../../registry/registry.ts'
import { compileSchema } from '../../schema/compile.ts'
import { callTool, givenSchema, said, type Asker, type Said } from './call.ts'
import { notesOf, type McpTool } from './tool.ts'

type Finder = Readonly<{
  name: string
  description: string
  readOnly: boolean
  properties: Readonly<Record<string, JsonSchema>>
  required: readonly string[]
  outputSchema?: JsonSchema
  call: (given: JsonObject, asker: Asker) => Said | Promise<Said>
}>

const text = (description: string): JsonSchema => ({ type: 'string', description })
/** Returns an argument as text; the schema check has run before. */
const textIn = (given: JsonObject, name: string): string => (typeof given[name] === 'string' ? given[name] : '')
const named = text('As `find_surfaces` names it.')

/** Makes a tool that checks its own arguments, because no surface does that for it. */
function finder({ properties, required, call, ...tool }: Finder): McpTool {
  const inputSchema = { type: 'object', properties, required: [...required], additionalProperties: false }
  const issuesOf = compileSchema(inputSchema)
  return {
    ...tool,
    inputSchema,
    call: async (given, asker) => {
      check(issuesOf(given), 'arguments')
      return await call(given, asker)
    }
  }
}

/** Default number of surfaces that `find_surfaces` returns. */
const usual = 10

/**
 * Returns three tools that find, describe and call every surface that the caller may use. `others` holds those
 * surfaces' tools by name.
 */
export function finders(registry: Registry, others: ReadonlyMap<string, Tool>): readonly McpTool[] {
  const { service } = registry
  const table = accessTable(service.access)
  const isFor = ({ surface }: Tool, { caller }: Asker): boolean => admits(surface.access, table, caller)
  const toolFor = (given: JsonObject, asker: Asker): Tool => {
    const name = textIn(given, 'name')
    const tool = others.get(name)
    if (tool === undefined)
      throw invalid(
        'name',
        `There is no surface \`${name.slice(0, 80)}\`. \`find_surfaces\` finds them by what they do.`
      )
    if (!isFor(tool, asker))
      throw new SurfaceError('FORBIDDEN', `This surface is for ${accessMeaning(tool.surface.access, table)}.`)
    return tool
  }
  return [
    finder({
      name: 'find_surfaces',
      description: 'Finds what else this service answers, by words of what it does.',
      readOnly: true,
      properties: {
        q: text('Words, such as `status history`. All of them must fit.'),
        limit: { type: 'integer', minimum: 1, maximum: 50, default: usual }
      },
      required: ['q'],
      outputSchema: {
        type: 'object',
        required: ['surfaces', 'total'],
        properties: {
          surfaces: {
            type: 'array',
            items: { type: 'object', properties: { name: { type: 'string' }, summary: { type: 'string' } } }
          },
          total: { type: 'integer' },
          hint: { type: 'string' }
        }
      },
      call: (given, asker) => {
        const { limit = usual } = given
        const found = selectTools(registry, { params: {}, query: { q: textIn(given, 'q') } }).filter(
          tool => isForAgents(tool.surface, service) && isFor(tool, asker)
        )
        return said({
          surfaces: found.slice(0, Number(limit)).map(tool => ({ name: tool.name, summary: tool.surface.summary })),
          total: found.length,
          ...(found.length === 0 ? { hint: 'No surface has all of these words. Try one word, or another one.' } : {})
        })
      }
    }),
    finder({
      name: 'describe_surface',
      description: 'The arguments and the answer of a surface, as JSON Schemas, with an example.',
      readOnly: true,
      properties: { name: named },
      required: ['name'],
      call: (given, asker) => {
        const tool = toolFor(given, asker)
        const { surface, parameters } = tool
        const [example] = workingExamples(surface).filter(({ headers }) => Object.keys(headers).length === 0)
        return said({
          name: textIn(given, 'name'),
          description: tool.description,
          ...notesOf(tool).notes,
          arguments: argumentsOf(tool),
          answer: givenSchema(tool, surface.output),
          ...(example === undefined
            ? {}
            : { example: { title: example.title, arguments: exampleArguments(parameters, example) } })
        })
      }
    }),
    finder({
      name: 'call_surface',
      description: 'Asks any surface that `find_surfaces` finds.',
      readOnly: false,
      properties: { name: named, arguments: { type: 'object', description: 'As `describe_surface` says.' } },
      required: ['name'],
      call: async (given, asker) => {
        const { arguments: passed = {} } = given
        return await callTool(toolFor(given, asker), isObject(passed) ? passed : {}, asker)
      }
    })
  ]
}
