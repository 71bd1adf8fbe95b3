import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Sliced } from '../canonical/slices.ts'
import type { Registry } from '../registry/registry.ts'
import type { Format } from '../format/index.ts'

/**
 * The state of a subsystem. While `isReadable` is false, the process should get no traffic. `isWritable`: whether the
 * subsystem accepts writes. Both are for operators and are not published.
 */
export type SubsystemState = Readonly<{
  status: 'ok' | 'degraded' | 'down'
  detail: string
  isReadable?: boolean
  isWritable?: boolean
}>

/**
 * What only the running process knows. Documents with `live: true` read it; the others depend on the registry and the
 * request only.
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
 * One discovery document; `index.ts` lists them by name. `build` is pure: the same registry, request and observations
 * give the same answer. A text document (llms.txt, robots.txt) is a string; the others are JSON.
 */
export type DiscoveryModule = Readonly<{
  /** Object schemas of the path and query parameters it reads; empty objects when absent. */
  input?: Readonly<{ params?: JsonSchema; query?: JsonSchema }>
  /** Schema of what `build` returns in the default format. */
  schema: JsonSchema
  /** True when the answer depends on observations, so it is built for each request. */
  live?: boolean
  build: (registry: Registry, request: DiscoveryRequest, observations: Observations) => JsonValue | string
  /** Builds a document in slices if it takes long for a thousand surfaces. It may depend on the registry only. */
  slices?: (registry: Registry) => Sliced<JsonValue>
  /** Returns the media type and the Cache-Control value of a text document that is served as a file. */
  file?: (registry: Registry, request: DiscoveryRequest) => Readonly<{ mediaType: string; control: string }>
  /**
   * Representations of this document that no general format offers, by format name, as JSON or text. Their answers have
   * no envelope.
   */
  renderings?: Readonly<Partial<Record<Format, (registry: Registry, request: DiscoveryRequest) => JsonValue>>>
}>
