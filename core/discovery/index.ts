import { accessTable } from '../access/index.ts'
import { isObject, type JsonSchema } from '../canonical/json.ts'
import { formatTable } from '../format/index.ts'
import type { Service } from '../manifest/service.ts'
import { aiPlugin, mcp, mcpConfig } from './agents.ts'
import type { DiscoveryModule, WordList } from './define.ts'
import { diagnostic } from './diagnostic.ts'
import { example, examples } from './examples.ts'
import { explained, explorer } from './explorer.ts'
import { graph } from './graph.ts'
import { health, status } from './health.ts'
import { kind, kinds } from './kinds.ts'
import { manifest } from './manifest.ts'
import { ontology } from './ontology.ts'
import { openapi } from './openapi.ts'
import { mapValues } from './pointers.ts'
import { manifestReference, manifestSchema } from './reference.ts'
import { rateLimits, relation, root, service } from './service.ts'
import { tools } from './tools.ts'
import { sitemap } from './sitemap.ts'
import { apiCatalog, assets, favicon, llms, llmsFull, opensearch, robots, security } from './well-known.ts'

const modules = {
  assets,
  root,
  manifest,
  graph,
  ontology,
  status,
  health,
  tools,
  kinds,
  kind,
  examples,
  example,
  openapi,
  diagnostic,
  'rate-limits': rateLimits,
  llms,
  'llms-full': llmsFull,
  'api-catalog': apiCatalog,
  robots,
  security,
  'ai-plugin': aiPlugin,
  mcp,
  'mcp-config': mcpConfig,
  service,
  relation,
  'manifest-schema': manifestSchema,
  'manifest-reference': manifestReference,
  explorer,
  explained,
  sitemap,
  favicon,
  opensearch
}

/** The modules that build the discovery documents, by the name under `serves` in a manifest. */
export const discoveryModules: ReadonlyMap<string, DiscoveryModule> = new Map(Object.entries(modules))

export const discoveryDocuments: readonly string[] = [...discoveryModules.keys()]

/** Returns the words that replace each `WordList`: those of the framework, and those that the service declares. */
const wordsOf = ({ access, formats }: Service): Readonly<Record<WordList, readonly string[]>> => ({
  access: Object.keys(accessTable(access)),
  formats: [
    ...new Set([
      ...formatTable(formats).keys(),
      ...[...discoveryModules.values()].flatMap(({ renderings = {} }) => Object.keys(renderings))
    ])
  ]
})

/** Returns the schema of a document with an `enum` of the words of the service in place of each `x-words`. */
export function schemaFor(service: Service, schema: JsonSchema): JsonSchema {
  const words = wordsOf(service)
  const filled = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(filled)
    if (!isObject(part)) return part
    const list = part['x-words']
    return typeof list === 'string' ? { enum: words[list as WordList] } : mapValues(part, filled)
  }
  return filled(schema) as JsonSchema
}
