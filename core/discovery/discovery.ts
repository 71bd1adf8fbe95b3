import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Sliced } from '../canonical/slices.ts'
import type { Registry } from '../registry/registry.ts'
import type { Format } from '../format/index.ts'

/**
 * What a part is now. `isReadable` is for what the service is there for: while it is false no traffic should come.
 * `isWritable`: whether it takes what is sent. Both are for operators, and are not published.
 */
export type SubsystemState = Readonly<{
  status: 'ok' | 'degraded' | 'down'
  detail: string
  isReadable?: boolean
  isWritable?: boolean
}>

/**
 * What only the running process knows. `status` and `health` read it; every other document is a function of the
 * registry alone.
 */
export type Observations = Readonly<{
  now: Date
  startedAt: Date
  /** By subsystem name: `process`, `database`, … */
  subsystems: Readonly<Record<string, SubsystemState>>
}>

export type DiscoveryRequest = Readonly<{
  params: Readonly<Record<string, string | number | boolean>>
  query: Readonly<Record<string, string | number | boolean | undefined>>
}>

/**
 * One discovery document, by its name in the table of `index.ts`. `build` is pure: same registry, request and
 * observations, same answer. A text document (llms.txt, robots.txt) builds a string; the others build JSON.
 */
export type DiscoveryModule = Readonly<{
  /** Object schemas of the path and query parameters it reads; empty objects when absent. */
  input?: Readonly<{ params?: JsonSchema; query?: JsonSchema }>
  /** Schema of what `build` returns in the default format. */
  schema: JsonSchema
  /** True when the answer depends on observations, so that it is built for each request. */
  live?: boolean
  build: (registry: Registry, request: DiscoveryRequest, observations: Observations) => JsonValue | string
  /** The same for a document that takes long at a thousand surfaces. It depends on the registry alone. */
  slices?: (registry: Registry) => Sliced<JsonValue>
  /** Of a text document that is served as a file: its media type, and for how long it may be kept. */
  file?: (registry: Registry, request: DiscoveryRequest) => Readonly<{ mediaType: string; control: string }>
  /**
   * Forms of this document that no general format gives, by format name, as JSON or as text; the answer is bare,
   * without the envelope.
   */
  renderings?: Readonly<Partial<Record<Format, (registry: Registry, request: DiscoveryRequest) => JsonValue>>>
}>
