import { aiPlugin } from './ai-plugin.ts'
import { assets } from './assets.ts'
import { diagnostic } from './diagnostic.ts'
import type { DiscoveryModule } from './discovery.ts'
import { example } from './example.ts'
import { examples } from './examples.ts'
import { explained } from './explained.ts'
import { explorer } from './explorer.ts'
import { favicon } from './favicon.ts'
import { graph } from './graph.ts'
import { health } from './health.ts'
import { kind } from './kind.ts'
import { kinds } from './kinds.ts'
import { llms } from './llms.ts'
import { manifestReference } from './manifest-reference.ts'
import { manifestSchema } from './manifest-schema.ts'
import { manifest } from './manifest.ts'
import { mcpConfig } from './mcp-config.ts'
import { mcp } from './mcp.ts'
import { ontology } from './ontology.ts'
import { openapi } from './openapi.ts'
import { rateLimits } from './rate-limits.ts'
import { relation } from './relation.ts'
import { robots } from './robots.ts'
import { root } from './root.ts'
import { security } from './security.ts'
import { service } from './service.ts'
import { sitemap } from './sitemap.ts'
import { status } from './status.ts'
import { tools } from './tools.ts'

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
  favicon
}

/** The modules of the discovery documents, by the name that a manifest gives in `serves`. */
export const discoveryModules: ReadonlyMap<string, DiscoveryModule> = new Map(Object.entries(modules))

/** The names of all discovery documents. */
export const discoveryDocuments: readonly string[] = [...discoveryModules.keys()]
