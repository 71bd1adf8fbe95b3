import { accessShown, accessText } from '../access/index.ts'
import type { JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { originOf } from '../canonical/url.ts'
import type { Registry } from '../registry/registry.ts'
import { methods } from '../vocabulary/words.ts'
import {
  AccessName,
  Closed,
  Count,
  Counts,
  defineDocument,
  FormatNames,
  ListOf,
  MapOf,
  Methods,
  Nullable,
  Path,
  Text,
  Texts,
  Url,
  type DiscoveryRequest
} from './define.ts'
import { exampleArguments, Parameter, workingExamples } from './parameters.ts'
import { absoluteUrl, countBy, isPaused, documentPathOf, pick } from './pointers.ts'
import { argumentsOf, selectTools, toolsOf, type Tool } from './tool-catalogue.ts'
import { geminiTool } from './vendors/gemini.ts'
import { openaiTool, responsesTool } from './vendors/openai.ts'

/** Returns a tool in the form of Anthropic's Messages API. */
const anthropicTool = (tool: Tool) => ({ ...pick(tool, 'name', 'description'), input_schema: argumentsOf(tool) })

/** Returns a tool in the form of version 2 of Cohere's Chat API. */
const cohereTool = (tool: Tool) => ({
  type: 'function',
  function: { ...pick(tool, 'name', 'description'), parameters: argumentsOf(tool) }
})

const Document = Closed({
  '@kind': Type.Literal('tool-catalog'),
  protocol: Closed({
    name: Type.Literal('tool-catalog'),
    version: Type.Literal('1.0.0'),
    catalog_url: Nullable(Path),
    formats: FormatNames,
    total: Count,
    returned: Count,
    narrowing: Text,
    vendor_limits: Text
  }),
  summary: Closed({ by_provenance: Counts, by_auth: Counts, by_tag: Counts, by_parameter_count: Counts }),
  tools: ListOf({
    name: Text,
    description: Text,
    path_template: Path,
    url_template: Url,
    method: Type.Enum(methods),
    methods: Methods,
    parameters: Type.Array(Parameter),
    examples: ListOf(
      { title: Text, arguments: MapOf(Type.Unknown()), status: Type.Integer() },
      { description: 'Calls that the tests of the service make, with the status of their answers.' }
    ),
    meta: Closed({
      surface_id: Text,
      auth: AccessName,
      scope: Type.Optional(Text),
      freshness_seconds: Type.Integer(),
      provenance: Text,
      license: Text,
      stability: Text,
      since: Text,
      tags: Texts,
      modalities: FormatNames,
      publication_paused: Type.Boolean()
    })
  })
})

function entryOf(registry: Registry, { name, description, surface, parameters }: Tool) {
  return {
    name,
    description,
    path_template: surface.route.path,
    url_template: absoluteUrl(registry, surface.route.path),
    method: surface.route.methods[0] ?? 'GET',
    methods: surface.route.methods,
    parameters,
    examples: workingExamples(surface)
      .filter(({ headers }) => Object.keys(headers).length === 0)
      .map(example => ({
        title: example.title,
        arguments: exampleArguments(parameters, example),
        status: example.expect.status
      })),
    meta: {
      surface_id: surface.id,
      auth: accessShown(surface.access),
      ...(surface.scope === undefined ? {} : { scope: surface.scope }),
      freshness_seconds: surface.freshness.seconds,
      ...pick(surface, 'provenance', 'license', 'stability', 'since', 'tags'),
      modalities: surface.formats,
      publication_paused: isPaused(surface)
    }
  }
}

const callOf = ({ surface, parameters }: Tool) => ({
  method: surface.route.methods[0] ?? 'GET',
  path: surface.route.path,
  arguments: Object.fromEntries(
    parameters.map(({ name, parameter, in: place }) => [name, { in: place, name: parameter }])
  )
})

const rendering =
  (form: (tool: Tool) => object, wrap: (tools: object[]) => object[] = tools => tools) =>
  (registry: Registry, request: DiscoveryRequest) => {
    const tools = selectTools(registry, request)
    return {
      tools: wrap(tools.map(form)),
      count: tools.length,
      catalog_url: documentPathOf(registry, 'tools'),
      origin: originOf(registry.service.base_url),
      calls: Object.fromEntries(tools.map(tool => [tool.name, callOf(tool)]))
      // The cast is safe: JSON Schemas are JSON, although the type `JsonSchema` allows any values.
    } as unknown as JsonValue
  }

const renderings = {
  anthropic: rendering(anthropicTool),
  openai: rendering(openaiTool),
  'openai-responses': rendering(responsesTool),
  gemini: rendering(geminiTool, functionDeclarations => [{ functionDeclarations }]),
  cohere: rendering(cohereTool)
}

const OptionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

export const tools = defineDocument(Document)({
  input: {
    query: Closed({
      tags: OptionalText(4000, 'Only tools with one of these tags; a list with commas.'),
      names: OptionalText(4000, 'Only these tools; a list of names with commas.'),
      q: OptionalText(200, 'Only tools that hold each of these words, the best first.'),
      profile: Type.Optional(
        Type.Enum(['core'], { description: '`core`: the few that agents need most, this catalogue among them.' })
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'At most this many tools, from the start of the catalogue.'
        })
      )
    })
  },
  build: (registry, request) => {
    const selected = selectTools(registry, request)
    return {
      '@kind': 'tool-catalog',
      protocol: {
        name: 'tool-catalog',
        version: '1.0.0',
        catalog_url: documentPathOf(registry, 'tools'),
        formats: ['json', ...Object.keys(renderings)],
        total: toolsOf(registry).length,
        returned: selected.length,
        narrowing:
          '`tags` and `names` are lists with commas, `q` is a search, `profile=core` a small selection that leads to all others; all must hold, and `limit` cuts what is left. They work in every format.',
        vendor_limits:
          'Some vendors refuse more than 128 functions in one request: narrow the list for them. `calls` says by name what each function asks for. ' +
          'In the openai form null stands for an optional argument that is not given.'
      },
      summary: {
        by_provenance: countBy(selected, tool => tool.surface.provenance),
        by_auth: countBy(selected, tool => accessText(tool.surface.access)),
        by_tag: countBy(
          selected.flatMap(tool => tool.surface.tags),
          tag => tag
        ),
        by_parameter_count: countBy(selected, tool => String(tool.parameters.length))
      },
      tools: selected.map(tool => entryOf(registry, tool))
    }
  },
  renderings
})
